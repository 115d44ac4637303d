import { expect } from 'vitest'
import { type Answer, type FaultServer, faultServer } from '../../../../test/support/fault-server.ts'
import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Limits } from '../resilient/limits.ts'
import { resilient } from '../resilient/resilient.ts'
import { type OpenAiCompatibleOptions, openAiCompatible } from './openai-compatible.ts'

export const request: ModelRequest = { system: 's', messages: [{ role: 'user', text: 'hi' }], tools: [] }

export type SetUpOptions = Partial<OpenAiCompatibleOptions> & { limits?: Partial<Limits> }

/** The model `m` on a server that gives these answers, as it is used: with retries. */
export async function setUp(
  { limits, ...options }: SetUpOptions,
  ...given: Answer[]
): Promise<{ server: FaultServer; model: Model; ask: (signal?: AbortSignal) => Promise<ModelPart[]> }> {
  const server = await faultServer(...given)
  const client = openAiCompatible({ base_url: server.url, model: 'm', ...options })
  const model = resilient(client, { provider: server.url, limits: { first_delay_ms: 1, ...limits } })
  return { server, model, ask: (signal) => collect(model, signal) }
}

export async function collect(
  model: Model,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.stream(request, signal)) if (part.type !== 'progress') parts.push(part)
  return parts
}

export const text = (words: string): ModelPart => ({ type: 'text', text: words })

export const failed = (failure: object): object => ({
  type: 'failed',
  failure: expect.objectContaining(failure),
})

export const retrying = (fields: object = {}): object =>
  expect.objectContaining({ type: 'retrying', ...fields })
