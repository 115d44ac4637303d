import type { StoredEnvelope } from '../schema/envelope.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import { exchangesIn } from './chat-logs.ts'

export const DEFAULT_EXCHANGES = 20
const EARLIER = 1_000

export interface PageReader {
  /** The logs of these turns and runs. */
  exchanges(ids: readonly (TurnId | RunId)[]): Promise<StoredEnvelope[]>
  /** About so many events of the chat's own log before one of them. */
  log(before: number, count: number): Promise<StoredEnvelope[]>
}

/** What of a chat was not read when it was opened, and reads it piece by piece, the newest first. */
export class FeedPages {
  unread: readonly (TurnId | RunId)[]
  /** Of the chat's own log. */
  unread_log: number
  readonly #reader: PageReader

  constructor(
    reader: PageReader,
    { unread, log }: { unread: readonly (TurnId | RunId)[]; log?: readonly StoredEnvelope[] },
  ) {
    this.#reader = reader
    this.unread = unread
    this.unread_log = log?.[0] ? log[0].seq - 1 : 0
  }

  older(count = DEFAULT_EXCHANGES): Promise<StoredEnvelope[]> {
    return this.logsOf(this.unread.slice(Math.max(0, this.unread.length - count)))
  }

  async logsOf(ids: readonly (TurnId | RunId)[]): Promise<StoredEnvelope[]> {
    const before = this.unread
    const asked = new Set<string>(ids)
    const wanted = before.filter((id) => asked.has(id))
    if (wanted.length === 0) return []
    const left = (this.unread = before.filter((id) => !asked.has(id)))
    try {
      return await this.#reader.exchanges(wanted)
    } catch (error) {
      // Nothing else was read meanwhile: it is where it was.
      this.unread = this.unread === left ? before : [...this.unread, ...wanted]
      throw error
    }
  }

  async earlier(count = EARLIER): Promise<StoredEnvelope[]> {
    if (this.unread_log === 0) return []
    const log = await this.#reader.log(this.unread_log + 1, count)
    this.unread_log = log[0] ? log[0].seq - 1 : 0
    this.unread = [...exchangesIn(log), ...this.unread]
    return log
  }
}
