import type { ChatId } from '../../schema/ids.ts'
import type { ChatConfig } from '../../schema/chat-config.ts'
import type { Message } from '../../schema/message.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { toArray } from '../list.ts'
import { evolve } from './evolve.ts'
import type { Fork } from './input.ts'
import { type SessionState, initialSession } from './state.ts'

/**
 * What a copy of a chat begins with: the mode and what was said and done, without the unfinished turn. With `at` (a
 * message or turn) it ends with that exchange, as the chat was then: what was summarised later is there word for word.
 */
export function forkChat(
  chat_id: ChatId,
  events: readonly SessionEvent[],
  at?: string,
): (Fork & ChatConfig) | Rejected {
  const whole = fold(events)
  if (whole.chat_id !== chat_id) return reject(`there is no chat ${chat_id} to fork`)
  const last = at === undefined ? undefined : findExchange(whole, at)
  if (last !== undefined && typeof last !== 'string') return last
  const end = events.findIndex((event) => isEnd(event, last))
  const state = end < 0 ? whole : fold(events.slice(0, end + 1))
  const all = toArray(state.turns)
  const turns = last === undefined ? all : all.slice(0, all.findIndex((turn) => turn === last) + 1)
  const { compaction } = state
  return {
    chat_id,
    ...state.config,
    turns,
    messages: messagesUpTo(state, last),
    ...(compaction && compaction.exchanges <= turns.length && { compaction }),
  }
}

/** By its id, that of one of its messages, or the last characters of its id. */
function findExchange(state: SessionState, at: string): string | Rejected {
  const message = toArray(state.messages).find(({ id }) => id === at)
  const closed: string[] = toArray(state.turns)
  if (message) {
    const id = exchangeOf(message)
    if (id !== undefined && closed.includes(id)) return id
    return reject(`the exchange of ${at} is not finished yet`)
  }
  const fitting = closed.filter((id) => id === at || (at.length >= 4 && id.endsWith(at)))
  const [only, another] = fitting
  if (another) return reject(`${JSON.stringify(at)} fits ${fitting.length} turns; give more of the id`)
  return only ?? reject(`there is no message or finished turn ${JSON.stringify(at)} in ${state.chat_id}`)
}

const exchangeOf = ({ run_id, turn_id }: Message): string | undefined => run_id ?? turn_id

function isEnd(event: SessionEvent, exchange: string | undefined): boolean {
  if (event.type === 'turn.closed') return event.turn_id === exchange
  return event.type === 'run.closed' && event.run_id === exchange
}

/** Those of finished exchanges, up to the last one of `last`. */
function messagesUpTo(state: SessionState, last: string | undefined): Message[] {
  const closed = new Set<string>(toArray(state.turns))
  const messages = toArray(state.messages).filter((message) => {
    const exchange = exchangeOf(message)
    return exchange === undefined || closed.has(exchange)
  })
  if (last === undefined) return messages
  return messages.slice(0, messages.findLastIndex((message) => exchangeOf(message) === last) + 1)
}

const fold = (events: readonly SessionEvent[]): SessionState => events.reduce(evolve, initialSession)
