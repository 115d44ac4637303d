import { toArray } from '../core/list.ts'
import { session } from '../core/session/session.ts'
import type { SessionState } from '../core/session/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Journal } from '../ports/journal.ts'
import type { StoredEnvelope } from '../schema/envelope.ts'
import type { ChatId, TurnId } from '../schema/ids.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import type { ChatRecord } from '../view/chat-transcript.ts'

/** Reads a chat and its turns without opening it: nothing is resumed, nothing is locked. */
export async function readChat(
  journal: Journal,
  chat: ChatId,
): Promise<ChatRecord & { envelopes: StoredEnvelope[] }> {
  const envelopes = await journal.read(chat)
  const state = foldSession(envelopes)
  const turns = new Map<TurnId, TurnState>()
  const ids = [...toArray(state.turns), ...(state.open_turn ? [state.open_turn.turn_id] : [])]
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    const events = await journal.read(id)
    envelopes.push(...events)
    turns.set(
      id,
      events.reduce((folded, { event }) => turn.evolve(folded, event as TurnEvent), turn.initial),
    )
    ids.unshift(...events.flatMap(({ event }) => childOf(event as TurnEvent)))
  }
  return { session: state, turns, envelopes }
}

/** The turn of a sub-agent that an event begins. */
function childOf(event: TurnEvent): TurnId[] {
  if (event.type === 'subtask.started') return [event.turn_id]
  return event.type === 'tool.called' && event.child ? [event.child] : []
}

/** The chat alone, without its turns. */
export const readSession = async (journal: Journal, chat: ChatId): Promise<SessionState> =>
  foldSession(await journal.read(chat))

const foldSession = (envelopes: StoredEnvelope[]): SessionState =>
  envelopes.reduce((state, { event }) => session.evolve(state, event as SessionEvent), session.initial)
