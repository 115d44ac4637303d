import type { Model, ModelHost, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import type { Limits } from './limits.ts'
import { ManualClock } from './manual-clock.test-support.ts'
import { resilient } from './resilient.ts'

export const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'hi' }], tools: [] }

/** For models proper, which ask nothing of it. */
export const host: ModelHost = {
  folder: '',
  chat_mode: 'Act',
  approve: async () => 'deny',
  observed: async () => undefined,
}

export const text = (words: string): ModelPart => ({ type: 'text', text: words })

export const broken = (failure: Partial<Failure> = {}): ModelPart => ({
  type: 'failed',
  failure: { kind: 'network', message: 'it broke', retryable: true, ...failure },
})

export const throttled = (retry_after_ms?: number): ModelPart => ({
  type: 'failed',
  throttled: true,
  failure: {
    kind: 'model',
    message: 'asked too often',
    retryable: true,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  },
})

type Script = (
  request: ModelRequest,
  signal: AbortSignal,
  count: number,
) => AsyncIterable<ModelPart> | ModelPart[]

export interface Asked {
  clock: ManualClock
  model: Model
  /** When requests came. */
  requests: number[]
  ask(signal?: AbortSignal): Promise<ModelPart[]>
}

let made = 0

/** A model under the wrapper, on a provider of its own and a clock that does not take its time. */
export function wrap(
  script: Script,
  limits: Partial<Limits> = {},
  { fallback, random = () => 0.5 }: { fallback?: Model; random?: () => number } = {},
): Asked {
  const clock = new ManualClock()
  const requests: number[] = []
  const inner: Model = {
    label: 'test/m',
    async *stream(request, signal) {
      requests.push(clock.elapsed())
      yield* script(request, signal, requests.length)
    },
  }
  const provider = `test ${++made}`
  const model = resilient(inner, { provider, clock, random, limits, ...(fallback && { fallback }) })
  return { clock, model, requests, ask: (signal) => clock.until(collect(model, signal)) }
}

export async function collect(model: Model, signal = new AbortController().signal): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.stream(request, signal, host)) parts.push(part)
  return parts
}
