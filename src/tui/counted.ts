import type { StoredEnvelope } from '../schema/envelope.ts'
import { type Usage, addUsage } from '../schema/usage.ts'
import type { ChatView } from '../view/chat-view.ts'
import { sectionsOf } from '../view/transcript.ts'

/** What of a chat is in its usage already: what is let go of and read again is not counted twice. */
export class Counted {
  readonly #exchanges = new Set<string>()
  /** The chat's own log was counted from here on. */
  #from = Infinity

  /** Remembers what a view that is let go of had read. */
  note({ transcript }: ChatView): void {
    for (const { id, loaded } of sectionsOf(transcript)) if (loaded) this.#exchanges.add(id)
  }

  has(exchange: string): boolean {
    return this.#exchanges.has(exchange)
  }

  /** The usage with what a part of the chat's own log adds to it. */
  add(usage: Usage, log: readonly StoredEnvelope[]): Usage {
    const before = this.#from
    const [first] = log
    if (first) this.#from = Math.min(before, first.seq)
    return log.reduce(
      (sum, { seq, event }) =>
        event.type === 'session.compacted' && seq < before ? addUsage(sum, event.usage) : sum,
      usage,
    )
  }
}
