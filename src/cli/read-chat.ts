import { toArray } from '../core/list.ts'
import { run } from '../core/run/run.ts'
import type { RunState } from '../core/run/state.ts'
import { session } from '../core/session/session.ts'
import type { SessionState } from '../core/session/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Journal } from '../ports/journal.ts'
import type { StoredEnvelope } from '../schema/envelope.ts'
import { type ChatId, type RunId, type TurnId, isRunId } from '../schema/ids.ts'
import type { RunEvent } from '../schema/run-event.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import type { ChatRecord } from '../view/chat-transcript.ts'

/** Reads a chat and its turns without opening it: nothing is resumed, nothing is locked. */
export async function readChat(
  journal: Pick<Journal, 'read'>,
  chat: ChatId,
): Promise<ChatRecord & { envelopes: StoredEnvelope[] }> {
  const envelopes = await journal.read(chat)
  const state = foldSession(envelopes)
  const turns = new Map<TurnId, TurnState>()
  const runs = new Map<RunId, RunState>()
  const ids: (TurnId | RunId)[] = toArray(state.turns)
  if (state.open_turn) ids.push(state.open_turn.turn_id)
  if (state.open_run) ids.push(state.open_run.run_id)
  ids.push(...state.background.map(({ run_id }) => run_id))
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    const events = await journal.read(id)
    envelopes.push(...events)
    if (isRunId(id)) {
      runs.set(
        id,
        events.reduce((folded, { event }) => run.evolve(folded, event as RunEvent), run.initial),
      )
      ids.unshift(...events.flatMap(({ event }) => turnsOf(event as RunEvent)))
      continue
    }
    turns.set(
      id,
      events.reduce((folded, { event }) => turn.evolve(folded, event as TurnEvent), turn.initial),
    )
    ids.unshift(...events.flatMap(({ event }) => childOf(event as TurnEvent)))
  }
  return { session: state, turns, runs, envelopes }
}

/** The turns of agents that an event of a run begins. */
const turnsOf = (event: RunEvent): TurnId[] =>
  event.type === 'agent.started' || event.type === 'question.asked' ? [event.turn_id] : []

/** The turn or run of others that an event begins. */
function childOf(event: TurnEvent): (TurnId | RunId)[] {
  if (event.type === 'subtask.started') return [event.turn_id]
  if (event.type === 'run.launched') return [event.run_id]
  return event.type === 'tool.called' && event.child ? [event.child] : []
}

/** The chat alone, without its turns. */
export const readSession = async (journal: Journal, chat: ChatId): Promise<SessionState> =>
  foldSession(await journal.read(chat))

const foldSession = (envelopes: StoredEnvelope[]): SessionState =>
  envelopes.reduce((state, { event }) => session.evolve(state, event as SessionEvent), session.initial)
