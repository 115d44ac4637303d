import { toArray } from '../core/list.ts'
import { evolve } from '../core/session/evolve.ts'
import { initialSession } from '../core/session/state.ts'
import type { Journal } from '../ports/journal.ts'
import type { StoredEnvelope } from '../schema/envelope.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../schema/ids.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { linkedStream } from './linked-streams.ts'

/** Reads logs of a chat without opening it. */
export type Reader = Pick<Journal, 'read'>

export interface ChatPage {
  envelopes: StoredEnvelope[]
  /** The turns and runs before those that were read, oldest first. */
  unread: (TurnId | RunId)[]
}

/** The chat's own log, and the logs of its newest turns and runs; undefined when there is no such chat. */
export async function readNewest(
  reader: Reader,
  chat: ChatId,
  exchanges: number,
): Promise<ChatPage | undefined> {
  const log = await reader.read(chat)
  if (log.length === 0) return undefined
  const all = exchangesOf(log)
  const unread = all.slice(0, Math.max(0, all.length - exchanges))
  const newest = await Promise.all(all.slice(unread.length).map((id) => readExchange(reader, id)))
  return { envelopes: [...log, ...newest.flat()], unread }
}

/** The end of the chat's own log, and the logs of the newest turns and runs in it. */
export async function readEnd(
  reader: Reader,
  chat: ChatId,
  { seq, log: count, exchanges }: { seq: number; log: number; exchanges: number },
): Promise<ChatPage & { log: StoredEnvelope[] }> {
  const log = await readLogBefore(reader, chat, seq + 1, count)
  const all = exchangesIn(log)
  const unread = all.slice(0, Math.max(0, all.length - exchanges))
  const newest = await Promise.all(all.slice(unread.length).map((id) => readExchange(reader, id)))
  return { log, envelopes: newest.flat(), unread }
}

/** About so many events of the chat's own log before one of them: more, where a turn or run would be cut apart. */
export async function readLogBefore(
  reader: Reader,
  chat: ChatId,
  before: number,
  count: number,
): Promise<StoredEnvelope[]> {
  if (before <= 1) return []
  for (let size = Math.max(1, count); ; size *= 2) {
    const after = Math.max(0, before - 1 - size)
    const log = await reader.read(chat, after, before - 1 - after)
    const start = after === 0 ? 0 : firstWhole(log)
    if (after === 0 || start < log.length) return log.slice(start)
  }
}

/** Where the first turn or run begins that is whole; the length of the log when none is. */
function firstWhole(log: readonly StoredEnvelope[]): number {
  const begun = new Set<string>()
  let start = 0
  for (const [index, { event }] of log.entries()) {
    const id = exchangeOf(event)
    if (id === undefined) continue
    const begins = event.type === 'message.added' ? event.message.role === 'user' : isOpening(event.type)
    // What was said before the first event of a part is not in it.
    if (begins && (index > 0 || event.type === 'message.added')) begun.add(id)
    else if (!begun.has(id)) start = index + 1
  }
  return start
}

/** The turns and runs that a part of a chat's own log is about, oldest first. */
export function exchangesIn(log: readonly StoredEnvelope[]): (TurnId | RunId)[] {
  const ids = log.flatMap(({ event }) =>
    event.type === 'chat.created' ? (event.forked_from?.turns ?? []) : (exchangeOf(event) ?? []),
  )
  return [...new Set(ids)]
}

const isOpening = (type: string): boolean => type === 'turn.opened' || type === 'run.opened'

function exchangeOf(event: StoredEnvelope['event']): TurnId | RunId | undefined {
  switch (event.type) {
    case 'message.added':
      return event.message.run_id ?? event.message.turn_id
    case 'turn.opened':
    case 'turn.closed':
      return event.turn_id
    case 'run.opened':
    case 'run.closed':
      return event.run_id
    default:
      return undefined
  }
}

/** The turns and runs of a chat, oldest first, those of the chat it was forked from included. */
export function exchangesOf(log: readonly StoredEnvelope[]): (TurnId | RunId)[] {
  const state = log.reduce((so, { event }) => evolve(so, event as SessionEvent), initialSession)
  const open = [
    state.open_turn?.turn_id,
    state.open_run?.run_id,
    ...state.background.map(({ run_id }) => run_id),
  ]
  return [...toArray(state.turns), ...open.filter((id) => id !== undefined)]
}

/** A turn or run with all it led to, in the order it happened. */
export async function readExchange(reader: Reader, id: TurnId | RunId): Promise<StoredEnvelope[]> {
  const logs: StoredEnvelope[][] = []
  const waiting: StreamId[] = [id]
  const known = new Set<StreamId>(waiting)
  for (let stream = waiting.shift(); stream !== undefined; stream = waiting.shift()) {
    const log = await reader.read(stream)
    logs.push(log)
    for (const { event } of log) {
      const linked = linkedStream(event)
      if (!linked || known.has(linked)) continue
      known.add(linked)
      waiting.push(linked)
    }
  }
  return mergeLogs(logs)
}

/** By time; each log stays in its order even when the clock was set back, and what led to a log comes before it. */
export function mergeLogs(logs: readonly (readonly StoredEnvelope[])[]): StoredEnvelope[] {
  if (logs.length === 1) return [...(logs[0] ?? [])]
  const timed = logs.flatMap((log) => {
    let at = ''
    return log.map((envelope) => {
      if (envelope.at > at) at = envelope.at
      return { at, envelope }
    })
  })
  timed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return timed.map(({ envelope }) => envelope)
}
