import type { Model, ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import type { GateCall } from './gate.ts'
import { type Limits, defaultLimits } from './limits.ts'
import { Provider, providerNamed } from './provider.ts'
import { type WaitingClock, systemWaitingClock } from './waiting-clock.ts'
import { watch } from './watch.ts'

export interface ResilientOptions {
  /** Models of one provider share its retry budget and wait for it together. Its first user's limits hold for all. */
  provider: string
  limits?: Partial<Limits>
  /** Asked instead when this model's provider is out of order. */
  fallback?: Model
  clock?: WaitingClock
  random?: () => number
}

/** With another model to go to, nobody waits long for the first. */
const PATIENCE_WITH_FALLBACK_MS = 10_000

/**
 * A model that survives its provider: silence ends, failures are retried while nothing of the reply was shown, and what a
 * reply may hold is bounded.
 */
export function resilient(model: Model, options: ResilientOptions): Model {
  const { fallback, clock = systemWaitingClock, random = Math.random } = options
  const limits = { ...defaultLimits, ...options.limits }
  const provider = providerNamed(options.provider, () => new Provider(limits, clock, random))
  const patience = fallback ? Math.min(PATIENCE_WITH_FALLBACK_MS, limits.patience_ms) : limits.patience_ms

  /** Ends with the failure that remains, or with nothing. */
  async function* attempt(
    call: GateCall,
    ...[request, signal, host]: Parameters<Model['stream']>
  ): AsyncGenerator<ModelPart, Ended> {
    let left = patience
    let announced: Failure | undefined
    for (;;) {
      const began = provider.now
      for (;;) {
        if (signal.aborted) return undefined
        const admission = provider.ask(call)
        if (admission.type === 'go') break
        if (admission.type === 'give_up') return { failure: inVain(admission.failure, clock), shown: false }
        const delay = admission.until === undefined ? 0 : admission.until - provider.now
        const failure = admission.failure ?? announced
        const spent = provider.now - began
        if (spent + delay >= left)
          return { failure: inVain(failure ?? tooBusy(model.label), clock), shown: false }
        if (failure && !announced) yield retrying(call, delay, (announced = failure).message)
        await provider.change(admission.until ?? began + left, signal)
      }
      left -= provider.now - began
      const onProgress = () => provider.answered(call)
      const { failure, throttled, shown } = yield* watch(model, request, {
        signal,
        host,
        clock,
        limits,
        onProgress,
      })
      if (signal.aborted) return undefined
      if (!failure) return void provider.completed(call)
      if (!failure.retryable) {
        // It refuses this request, but it is there.
        provider.answered(call)
        return { failure, shown }
      }
      const pause = provider.failed(call, failure, throttled)
      if (shown || pause === undefined) return { failure, shown }
      if ((failure.retry_after_ms ?? 0) > limits.retry_after_ms || pause > left)
        return { failure: inVain(failure, clock), shown }
      yield retrying(call, pause, (announced = failure).message)
      left -= pause
      await provider.pause(pause, signal)
    }
  }

  return {
    ...model,
    async *stream(request, signal, host): AsyncGenerator<ModelPart> {
      const call: GateCall = { failures: 0, foreign: 0 }
      let ended: Ended
      try {
        ended = yield* attempt(call, request, signal, host)
      } finally {
        provider.leave(call)
      }
      if (!ended) return
      const { failure, shown } = ended
      if (!fallback || shown || !failure.retryable) return yield { type: 'failed', failure }
      yield retrying(call, 0, `${failure.message}; asking ${fallback.label} instead`)
      yield* withoutMetadata(fallback, request, signal, host)
    },
  }
}

type Ended = { failure: Failure; shown: boolean } | undefined

const retrying = ({ failures }: GateCall, delay_ms: number, reason: string): ModelPart => ({
  type: 'retrying',
  attempt: Math.max(1, failures),
  delay_ms: Math.round(delay_ms),
  reason,
})

/** Says when it makes sense to try again, where the provider said so. */
function inVain(failure: Failure, clock: WaitingClock): Failure {
  const { retry_after_ms } = failure
  if (retry_after_ms === undefined) return failure
  const when = new Date(clock.now() + retry_after_ms).toISOString().slice(0, 16).replace('T', ' ')
  const hint = `it asks to wait ${duration(retry_after_ms)}: send the message again after ${when} UTC, or choose another model`
  return { ...failure, hint }
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 2) return `${Math.ceil(ms / 1000)} s`
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

const tooBusy = (label: string): Failure => ({
  kind: 'model',
  message: `${label} is busy with this program's other requests`,
  hint: 'send the message again later, or run fewer agents at once',
  retryable: true,
})

/** What one provider wants back is nothing for another. */
async function* withoutMetadata(
  fallback: Model,
  ...[request, signal, host]: Parameters<Model['stream']>
): AsyncGenerator<ModelPart> {
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant') return message
    const { metadata: _, ...rest } = message
    return rest
  })
  for await (const part of fallback.stream({ ...request, messages }, signal, host)) {
    if (part.type !== 'metadata') yield part
  }
}
