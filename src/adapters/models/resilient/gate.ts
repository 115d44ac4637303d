import type { Failure } from '../../../schema/failure.ts'
import { RetryBudget } from './budget.ts'
import type { Limits } from './limits.ts'

/** One call of an agent, from its first request to its last. */
export interface GateCall {
  /** Requests of its own that failed. */
  failures: number
  /** Its age among all calls: the oldest goes first. */
  order?: number
  /** Requests of others that failed while this call waited for them. */
  foreign: number
  /** How many probes had failed when this call last looked. */
  seen?: number
  /** Set when the provider said something to another call that ends this one as well. */
  refused?: Failure
}

export type Admission =
  | { type: 'go' }
  /** Ask again then, or when something has changed. */
  | { type: 'wait'; until: number | undefined; failure: Failure | undefined }
  | { type: 'give_up'; failure: Failure }

interface Closure {
  until: number
  failure: Failure
  throttled: boolean
}

/** Past this many requests under way at once, nothing is held back any more. */
const WIDE_OPEN = 64
/** The longest time between requests, in first delays; the shortest is half of one. */
const LONGEST_INTERVAL = 8

/**
 * Who may ask a provider now. While it refuses (429, or one failure after another) everybody waits for the same moment;
 * then one call probes; when it is answered the others follow, a few at first and more with every answer. Holds no timer:
 * the time comes with each question.
 */
export class Gate {
  readonly #limits: Limits
  readonly #random: () => number
  readonly #budget: RetryBudget
  #closed: Closure | undefined
  #probe: GateCall | undefined
  /** How many requests may be waiting for their first answer. */
  #window = Number.POSITIVE_INFINITY
  readonly #unanswered = new Set<GateCall>()
  /** What was learned about how often it may be asked: longer with every refusal, shorter with every answer. */
  #interval = 0
  #nextAt = 0
  /** Who waits, the oldest first. */
  #queue: GateCall[] = []
  #calls = 0
  /** Failures of all calls since the last reply that came whole. */
  #failures = 0
  /** Closures since the last answer. */
  #level = 0
  #probesFailed = 0
  /** How many of these were before the gate last opened. */
  #forgiven = 0

  constructor(limits: Limits, random: () => number) {
    this.#limits = limits
    this.#random = random
    this.#budget = new RetryBudget(limits)
  }

  ask(call: GateCall, now: number): Admission {
    if (call.refused) return this.#giveUp(call, call.refused)
    this.#learn(call)
    this.#enqueue(call)
    const closed = this.#closed
    if (closed) {
      if (this.isSpent(call, closed.throttled)) return this.#giveUp(call, closed.failure)
      if (now < closed.until) return { type: 'wait', until: closed.until, failure: closed.failure }
    }
    const wait = { type: 'wait', until: undefined, failure: closed?.failure } as const
    if (closed ? this.#probe : this.#unanswered.size >= this.#window) return wait
    const readyAt = Math.max(this.#nextAt, call.failures > 0 ? this.#budget.readyAt(now) : now)
    if (readyAt > now) return { ...wait, until: readyAt }
    const first = this.#queue.find(({ failures }) => failures === 0 || this.#budget.readyAt(now) <= now)
    if (first !== call) return wait
    if (call.failures > 0) this.#budget.take(now)
    this.#forget(call)
    this.#unanswered.add(call)
    this.#nextAt = now + this.#interval
    if (closed) this.#probe = call
    return { type: 'go' }
  }

  /** The provider has begun to answer. */
  answered(call: GateCall): void {
    if (!this.#unanswered.delete(call)) return
    this.#interval = this.#interval < this.#limits.first_delay_ms / 25 ? 0 : this.#interval * 0.85
    if (this.#probe === call) {
      this.#probe = undefined
      this.#open()
    } else if (!this.#closed && this.#window <= WIDE_OPEN) this.#widen()
  }

  /** The reply came whole. */
  completed(call: GateCall, now: number): void {
    this.answered(call)
    this.#failures = 0
    this.#budget.earn(now)
  }

  /** Returns how long this call should pause. Waiters give up when the provider asks for more than is reasonable. */
  failed(call: GateCall, failure: Failure, options: { throttled: boolean; now: number }): number {
    const { throttled, now } = options
    const { retry_after_ms } = failure
    const isProbe = this.#probe === call
    const fromBefore = this.#closed !== undefined && !isProbe
    this.#learn(call)
    this.leave(call)
    if (isProbe) call.seen = ++this.#probesFailed
    call.failures++
    this.#failures++
    if (retry_after_ms !== undefined && retry_after_ms > this.#limits.retry_after_ms) {
      for (const waiting of this.#queue) waiting.refused = failure
      this.#close({ until: now, failure, throttled })
      return 0
    }
    const tellsWhen = throttled || retry_after_ms !== undefined
    if (!tellsWhen && !this.#closed && this.#failures < this.#limits.breaker_failures) {
      return this.#jitter(this.#backoff(this.#limits.first_delay_ms, call.failures))
    }
    if (!fromBefore) this.#level++
    if (throttled && !this.#closed) {
      const first = this.#limits.first_delay_ms
      this.#interval = Math.min(this.#interval * 2 || first / 2, first * LONGEST_INTERVAL)
    }
    const { breaker_ms, first_delay_ms } = this.#limits
    const usual = this.#backoff(tellsWhen ? first_delay_ms : breaker_ms, this.#level)
    // What the provider asks for is believed once; when it refuses again, the pause grows all the same.
    const delay =
      retry_after_ms === undefined
        ? this.#jitter(usual)
        : Math.max(this.#later(retry_after_ms), this.#level > 1 ? this.#jitter(usual) : this.#interval)
    this.#close({ until: now + delay, failure, throttled: tellsWhen })
    return Math.max(0, (this.#closed?.until ?? now) - now)
  }

  /** The call has ended, whichever way. */
  leave(call: GateCall): void {
    this.#forget(call)
    this.#unanswered.delete(call)
    if (this.#probe === call) this.#probe = undefined
  }

  /** It has failed often enough. */
  isSpent({ failures, foreign }: GateCall, throttled: boolean): boolean {
    const { attempts, throttled_attempts } = this.#limits
    return failures + foreign >= (throttled ? throttled_attempts : attempts)
  }

  /** What a probe finds out, it finds out for everybody who waits; an answer to anybody is good news for all. */
  #learn(call: GateCall): void {
    const seen = call.seen ?? this.#probesFailed
    call.foreign = seen < this.#forgiven ? 0 : call.foreign
    call.foreign += this.#probesFailed - Math.max(seen, this.#forgiven)
    call.seen = this.#probesFailed
  }

  #close(closure: Closure): void {
    this.#closed = { ...closure, until: Math.max(closure.until, this.#closed?.until ?? 0) }
    this.#window = 1
  }

  #open(): void {
    this.#closed = undefined
    this.#level = 0
    this.#forgiven = this.#probesFailed
    this.#widen()
  }

  #widen(): void {
    this.#window = this.#window >= WIDE_OPEN ? Number.POSITIVE_INFINITY : this.#window + 1
  }

  #enqueue(call: GateCall): void {
    if (this.#queue.includes(call)) return
    const order = (call.order ??= ++this.#calls)
    const younger = this.#queue.findIndex((other) => (other.order ?? 0) > order)
    this.#queue.splice(younger < 0 ? this.#queue.length : younger, 0, call)
  }

  #giveUp(call: GateCall, failure: Failure): Admission {
    this.#forget(call)
    return { type: 'give_up', failure }
  }

  #forget(call: GateCall): void {
    this.#queue = this.#queue.filter((other) => other !== call)
  }

  #backoff(first: number, times: number): number {
    return Math.min(first * 2 ** (times - 1), this.#limits.longest_delay_ms)
  }

  /** Around the usual delay, so that programs that failed together do not come back together. */
  #jitter(ms: number): number {
    return Math.round(ms * (0.75 + this.#random() / 2))
  }

  /** Never before the moment that was asked for. */
  #later(ms: number): number {
    return Math.round(ms * (1 + this.#random() / 10))
  }
}
