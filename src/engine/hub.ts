import type { Journal } from '../ports/journal.ts'
import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'

/** How many envelopes wait for a subscriber that does not keep up. */
const BACKLOG = 1_000

/** Hands every envelope to everybody who listens. Publishing never waits for a listener. */
export class Hub {
  readonly #journal: Journal
  readonly #subscriptions = new Set<Subscription>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  publish(envelopes: readonly Envelope[]): void {
    for (const subscription of this.#subscriptions) {
      for (const envelope of envelopes) subscription.offer(envelope)
    }
  }

  subscribe(backlog = BACKLOG): Subscription {
    const subscription = new Subscription(this.#journal, backlog, () =>
      this.#subscriptions.delete(subscription),
    )
    this.#subscriptions.add(subscription)
    return subscription
  }
}

/**
 * One listener's view. When it falls behind, live text is dropped and stored events are read back from the journal when
 * it catches up, so a slow listener costs bounded memory and still sees every stored event of a stream in order, once.
 */
export class Subscription implements AsyncIterable<Envelope> {
  readonly #journal: Journal
  readonly #backlog: number
  readonly #onClose: () => void
  #waiting: Envelope[] = []
  /** Streams of which stored events were dropped, with the sequence number to read on from. */
  readonly #behind = new Map<StreamId, number>()
  /** What was read back: an event can be in the journal before it is offered here. */
  readonly #readUpTo = new Map<StreamId, number>()
  #wake: (() => void) | undefined
  #closed = false

  constructor(journal: Journal, backlog: number, onClose: () => void) {
    this.#journal = journal
    this.#backlog = backlog
    this.#onClose = onClose
  }

  offer(envelope: Envelope): void {
    const { stream, seq } = envelope
    if (this.#behind.has(stream) || (seq !== null && this.#wasRead(stream, seq))) return
    if (this.#waiting.length < this.#backlog) this.#waiting.push(envelope)
    else if (seq !== null) this.#behind.set(stream, seq - 1)
    this.#wake?.()
  }

  close(): void {
    this.#closed = true
    this.#onClose()
    this.#wake?.()
  }

  /** Ends after `close`, when everything offered before it was delivered. */
  async *[Symbol.asyncIterator](): AsyncIterator<Envelope> {
    for (;;) {
      const batch = this.#waiting
      // Only these: of a stream that falls behind from now on, earlier events may wait to be delivered first.
      const behind = [...this.#behind.keys()]
      this.#waiting = []
      yield* batch
      yield* await this.#catchUp(behind)
      if (this.#waiting.length > 0 || this.#behind.size > 0) continue
      if (this.#closed) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #wasRead(stream: StreamId, seq: number): boolean {
    const last = this.#readUpTo.get(stream)
    if (last === undefined) return false
    if (seq >= last) this.#readUpTo.delete(stream)
    return seq <= last
  }

  async #catchUp(streams: StreamId[]): Promise<StoredEnvelope[]> {
    const missed: { at: string; envelope: StoredEnvelope }[] = []
    for (const stream of streams) {
      const after = this.#behind.get(stream) ?? 0
      // From here on offers are taken again; what the journal returns as well is taken out below.
      this.#behind.delete(stream)
      let last = after
      let at = ''
      for (const envelope of await this.#journal.read(stream, after)) {
        last = envelope.seq
        // The clock may have been set back, but a stream stays in order.
        if (envelope.at > at) at = envelope.at
        missed.push({ at, envelope })
      }
      this.#skipRead(stream, last)
    }
    missed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    return missed.map(({ envelope }) => envelope)
  }

  /** Live text that came meanwhile goes too: what it led to may have been read. */
  #skipRead(stream: StreamId, last: number): void {
    this.#readUpTo.set(stream, last)
    this.#waiting = this.#waiting.filter(
      (waiting) => waiting.stream !== stream || (waiting.seq !== null && waiting.seq > last),
    )
    const dropped = this.#behind.get(stream)
    if (dropped !== undefined) this.#behind.set(stream, Math.max(dropped, last))
  }
}
