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
 * it catches up, so a slow listener costs bounded memory and still sees every stored event in order.
 */
export class Subscription implements AsyncIterable<Envelope> {
  readonly #journal: Journal
  readonly #backlog: number
  readonly #onClose: () => void
  #waiting: Envelope[] = []
  /** Streams of which stored events were dropped, with the sequence number to read on from. */
  readonly #behind = new Map<StreamId, number>()
  #wake: (() => void) | undefined
  #closed = false

  constructor(journal: Journal, backlog: number, onClose: () => void) {
    this.#journal = journal
    this.#backlog = backlog
    this.#onClose = onClose
  }

  offer(envelope: Envelope): void {
    const { stream, seq } = envelope
    if (seq === null) {
      if (this.#waiting.length < this.#backlog && !this.#behind.has(stream)) this.#waiting.push(envelope)
    } else if (!this.#behind.has(stream)) {
      if (this.#waiting.length < this.#backlog) this.#waiting.push(envelope)
      else this.#behind.set(stream, seq - 1)
    }
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
      this.#waiting = []
      yield* batch
      if (this.#waiting.length > 0) continue
      if (this.#behind.size > 0) yield* await this.#catchUp()
      else if (this.#closed) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async #catchUp(): Promise<StoredEnvelope[]> {
    const missed: StoredEnvelope[] = []
    for (const [stream, after] of this.#behind) {
      const events = await this.#journal.read(stream, after)
      missed.push(...events)
      this.#waiting = this.#waiting.filter((waiting) => waiting.stream !== stream)
    }
    this.#behind.clear()
    return missed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  }
}
