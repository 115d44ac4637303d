import { LLMock } from '@copilotkit/aimock'
import { onTestFinished } from 'vitest'
import { anthropicModel } from '../../src/adapters/models/ai-sdk/anthropic.ts'
import type { AiSdkOptions } from '../../src/adapters/models/ai-sdk/ai-sdk-model.ts'
import { googleModel } from '../../src/adapters/models/ai-sdk/google.ts'
import { openAiModel } from '../../src/adapters/models/ai-sdk/openai.ts'
import { openAiCompatible } from '../../src/adapters/models/openai-compatible/openai-compatible.ts'
import type { Model, ModelHost, ModelMessage, ModelPart, ModelRequest } from '../../src/ports/model.ts'
import { type RecordingProxy, recordingProxy } from '../support/recording-proxy.ts'

/** One way of speaking to a provider that the mock server knows; xAI's is a little different, see xai.test.ts. */
export interface Wire {
  name: string
  model: string
  path: string
  open(options: AiSdkOptions): Model
}

export const wires: Wire[] = [
  {
    name: 'Chat Completions, our client',
    model: 'qwen3',
    path: '/v1',
    open: (options) => openAiCompatible(options),
  },
  { name: 'OpenAI Responses', model: 'gpt-5', path: '/v1', open: openAiModel },
  {
    name: 'OpenAI Chat Completions',
    model: 'gpt-5',
    path: '/v1',
    open: (options) => openAiModel({ ...options, api: 'chat' }),
  },
  { name: 'Anthropic Messages', model: 'claude-sonnet-4-5', path: '/v1', open: anthropicModel },
  { name: 'Gemini', model: 'gemini-2.5-flash', path: '/v1beta', open: googleModel },
]

export interface Bench {
  mock: LLMock
  proxy: RecordingProxy
  model: Model
  ask(request?: Partial<ModelRequest>): Promise<ModelPart[]>
}

/** The wire's client on a provider's server that others wrote, with everything recorded on the way. */
export async function setUp(wire: Wire, options: Partial<AiSdkOptions> = {}): Promise<Bench> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  await mock.start()
  onTestFinished(() => mock.stop())
  const proxy = await recordingProxy(mock.url)
  const model = wire.open({
    provider: wire.name,
    model: wire.model,
    base_url: `${proxy.url}${wire.path}`,
    api_key: 'sk-test-key',
    ...options,
  })
  return { mock, proxy, model, ask: (request = {}) => collect(model, request) }
}

export const weather = {
  name: 'get_weather',
  description: 'The weather somewhere.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string' } },
    required: ['city'],
  },
}

/** What agents with tools of their own need; these models do not. */
export const noHost = undefined as unknown as ModelHost

export async function collect(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  const whole = { system: 'You help.', messages: [user('hello')], tools: [], ...request }
  for await (const part of model.stream(whole, signal, noHost)) if (part.type !== 'progress') parts.push(part)
  return parts
}

export const user = (text: string): ModelMessage => ({ role: 'user', text })

export const textOf = (parts: ModelPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

export const reasoningOf = (parts: ModelPart[]): string =>
  parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')

export const callsOf = (parts: ModelPart[]): Extract<ModelPart, { type: 'call' }>[] =>
  parts.flatMap((part) => (part.type === 'call' ? [part] : []))

/** The reply as the engine stores it: with ids of its own. */
export function toMessage(parts: ModelPart[], prefix = 'ours'): Extract<ModelMessage, { role: 'assistant' }> {
  const metadata = parts.find((part) => part.type === 'metadata')?.data
  return {
    role: 'assistant',
    text: textOf(parts),
    calls: callsOf(parts).map(({ name, arguments: text }, index) => ({
      id: `${prefix}_${index + 1}`,
      name,
      input: JSON.parse(text) as Record<string, unknown>,
    })),
    ...(metadata !== undefined && { metadata: JSON.parse(JSON.stringify(metadata)) as unknown }),
  }
}
