import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'
import { type Reader, mergeLogs } from './chat-logs.ts'
import { endsStream, linkedStream } from './linked-streams.ts'

/** What a hub gives: everything that is published from now on. */
export interface EnvelopeSource extends AsyncIterable<Envelope> {
  close(): void
}

/** How far the logs of a chat that can still grow have been delivered. */
export type Cursor = ReadonlyMap<StreamId, number>

/**
 * Follows a log, usually a chat, and everything that comes of it. Whatever was stored is delivered once, and each log in its order: a log
 * that is new, and one of which something is missing, is read from the journal.
 */
export class ChatFollower implements AsyncIterable<Envelope> {
  readonly #reader: Reader
  readonly #source: EnvelopeSource
  readonly #root: StreamId
  /** Logs that can still grow. */
  readonly #at = new Map<StreamId, number>()
  /** Logs that are over. */
  readonly #over = new Set<StreamId>()
  /** When the last envelope was stored that was read from the journal: live text from before led to it. */
  readonly #readAt = new Map<StreamId, string>()

  /** `source` must have been subscribed to before anything was read. */
  constructor(reader: Reader, source: EnvelopeSource, root: StreamId) {
    this.#reader = reader
    this.#source = source
    this.#root = root
  }

  get cursor(): Cursor {
    return this.#at
  }

  close(): void {
    this.#source.close()
  }

  /** Takes what was read already as delivered. */
  start(delivered: readonly Envelope[]): void {
    for (const envelope of delivered) this.#note(envelope)
    for (const { stream, at } of delivered) if (this.#at.has(stream)) this.#readAt.set(stream, at)
    // Logs that were left out, and are over: whoever wants them reads them.
    for (const { event } of delivered) {
      const closed = closedStream(event)
      if (closed && this.#at.get(closed) === 0) this.#end(closed)
    }
  }

  /** Goes on from where an earlier connection ended: what it missed comes first. */
  async resume(cursor: Cursor): Promise<StoredEnvelope[]> {
    for (const [stream, seq] of cursor) this.#at.set(stream, seq)
    if (!this.#at.has(this.#root)) this.#at.set(this.#root, 0)
    return this.#catchUp([...this.#at.keys()])
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Envelope> {
    for await (const envelope of this.#source) {
      const { stream, seq } = envelope
      const last = this.#at.get(stream)
      if (last === undefined) continue
      if (seq === null) {
        if (envelope.at > (this.#readAt.get(stream) ?? '')) yield envelope
      } else if (seq === last + 1) yield* await this.#deliver(envelope as StoredEnvelope)
      else if (seq > last) yield* await this.#catchUp([stream])
    }
  }

  async #deliver(envelope: StoredEnvelope): Promise<StoredEnvelope[]> {
    const begun = this.#note(envelope)
    // What the new log holds by now was published before we listened for it.
    if (begun) return [envelope, ...(await this.#catchUp([begun]))]
    const { event } = envelope
    if (event.type !== 'turn.closed' || !this.#at.has(event.turn_id)) return [envelope]
    // The end of a log is never lost, even if this one overtook it.
    const missed = await this.#catchUp([event.turn_id])
    this.#end(event.turn_id)
    return [...missed, envelope]
  }

  /** Reads on in these logs and in those they lead to. */
  async #catchUp(streams: StreamId[]): Promise<StoredEnvelope[]> {
    const logs: StoredEnvelope[][] = []
    const waiting = [...streams]
    for (let stream = waiting.shift(); stream !== undefined; stream = waiting.shift()) {
      const log = await this.#reader.read(stream, this.#at.get(stream) ?? 0)
      logs.push(log)
      const end = log.at(-1)
      if (end) this.#readAt.set(stream, end.at)
      for (const envelope of log) {
        const begun = this.#note(envelope)
        if (begun) waiting.push(begun)
      }
    }
    return mergeLogs(logs)
  }

  /** Moves the cursor; returns a log that begins with this envelope. */
  #note({ stream, seq, event }: Envelope): StreamId | undefined {
    if (seq === null) return undefined
    if (endsStream(event)) this.#end(stream)
    else if (!this.#over.has(stream)) this.#at.set(stream, seq)
    const linked = linkedStream(event)
    if (!linked || this.#at.has(linked) || this.#over.has(linked)) return undefined
    this.#at.set(linked, 0)
    return linked
  }

  #end(stream: StreamId): void {
    this.#at.delete(stream)
    this.#readAt.delete(stream)
    this.#over.add(stream)
  }
}

function closedStream(event: Envelope['event']): StreamId | undefined {
  if (event.type === 'turn.closed') return event.turn_id
  return event.type === 'run.closed' ? event.run_id : undefined
}
