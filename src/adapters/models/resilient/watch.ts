import type { Model, ModelHost, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import type { Limits } from './limits.ts'
import { ReplySize } from './reply-size.ts'
import type { WaitingClock } from './waiting-clock.ts'

export interface WatchOptions {
  signal: AbortSignal
  host: ModelHost | undefined
  clock: WaitingClock
  limits: Limits
  /** Something of the reply has come. */
  onProgress: () => void
}

/** How one request went: well, when there is no failure. */
export interface Outcome {
  failure?: Failure
  throttled: boolean
  /** Text or calls were given out. */
  shown: boolean
}

/**
 * One request to a model, ended when it makes no progress, when it grows too large, or by the signal: at once, whether
 * the model heeds its own signal or not.
 */
export async function* watch(
  model: Model,
  request: ModelRequest,
  { signal, host, clock, limits, onProgress }: WatchOptions,
): AsyncGenerator<ModelPart, Outcome> {
  const end = new AbortController()
  const size = new ReplySize(model.label, limits)
  const idle = new Idle(model.label, limits, clock)
  const cancel = () => idle.stop()
  let shown = false
  let done = false
  if (signal.aborted) return { throttled: false, shown }
  signal.addEventListener('abort', cancel, { once: true })
  const iterator = model.stream(request, end.signal, host)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await idle.during(iterator.next())
      if (!step) return { throttled: false, shown, ...(idle.failure && { failure: idle.failure }) }
      if (step.done) {
        done = true
        const failure = size.isEmpty ? emptyReply(model.label) : undefined
        return { throttled: false, shown, ...(failure && { failure }) }
      }
      const part = step.value
      if (part.type === 'failed') {
        done = true
        return { failure: part.failure, throttled: part.throttled ?? false, shown }
      }
      const checked = size.take(part)
      if ('failure' in checked) return { failure: checked.failure, throttled: false, shown }
      if (checked.progress) {
        idle.progress()
        onProgress()
      }
      if (part.type === 'progress') continue
      if (part.type === 'text' || part.type === 'call') shown = true
      yield checked.part
    }
  } finally {
    idle.stop()
    signal.removeEventListener('abort', cancel)
    // A reply that came whole is let alone, so that its connection can be used again.
    if (!done) end.abort()
    iterator.return?.().catch(() => undefined)
  }
}

/** Waits for the next part, but not for ever. */
class Idle {
  readonly #label: string
  readonly #limits: Limits
  readonly #clock: WaitingClock
  readonly #began: number
  #deadline: number
  #progressed = false
  #stopped = false
  #cancelTimer: (() => void) | undefined
  #wake: (() => void) | undefined
  failure: Failure | undefined

  constructor(label: string, limits: Limits, clock: WaitingClock) {
    this.#label = label
    this.#limits = limits
    this.#clock = clock
    this.#began = clock.elapsed()
    this.#deadline = this.#began + Math.min(limits.first_ms, limits.whole_ms)
    this.#arm()
  }

  progress(): void {
    const { progress_ms, whole_ms } = this.#limits
    this.#deadline = Math.min(this.#clock.elapsed() + progress_ms, this.#began + whole_ms)
    if (this.#progressed) return
    this.#progressed = true
    this.#cancelTimer?.()
    this.#arm()
  }

  /** What it resolves to, or nothing when time is up or it was stopped. */
  during<T>(next: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) resolve(undefined)
      this.#wake = () => resolve(undefined)
      next.then(resolve, reject)
    })
  }

  stop(): void {
    this.#stopped = true
    this.#cancelTimer?.()
    this.#wake?.()
  }

  /** Two timers for a whole reply: further parts only move the deadline. */
  #arm(): void {
    const left = this.#deadline - this.#clock.elapsed()
    this.#cancelTimer = this.#clock.after(Math.max(0, left), () => {
      if (this.#clock.elapsed() < this.#deadline) return this.#arm()
      this.failure = this.#describe()
      this.stop()
    })
  }

  #describe(): Failure {
    const { first_ms, progress_ms, whole_ms } = this.#limits
    const fail = (message: string, hint: string, retryable: boolean): Failure => ({
      kind: 'network',
      message: `${this.#label} ${message}`,
      hint,
      retryable,
    })
    if (this.#deadline >= this.#began + whole_ms)
      return fail(
        `was not done after ${whole_ms / 1000} s`,
        'raise timeouts.whole_seconds if it needs that long',
        false,
      )
    return this.#progressed
      ? fail(
          `stopped in the middle of its reply: nothing new for ${progress_ms / 1000} s`,
          'raise timeouts.progress_seconds if it is just slow',
          true,
        )
      : fail(
          `did not begin to answer within ${first_ms / 1000} s`,
          'raise timeouts.first_seconds if it is just slow',
          true,
        )
  }
}

const emptyReply = (label: string): Failure => ({
  kind: 'model',
  message: `${label} sent an empty reply`,
  hint: 'send the message again, or choose another model',
  retryable: true,
})
