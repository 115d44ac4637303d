import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import { withoutSecrets } from '../keys/without-secrets.ts'
import { toFailed } from './failure.ts'
import { type Fetch, fetchOverPost } from './fetch.ts'
import { toPrompt, toTools } from './prompt.ts'
import { Reply } from './reply.ts'

/** What every provider of the AI SDK is made from. */
export interface AiSdkOptions {
  /** Shown to people in front of the model's name. */
  provider: string
  model: string
  base_url: string
  api_key: string
  /** Where the key came from, for people. */
  key_from?: string
  headers?: Record<string, string>
  api?: 'responses' | 'chat'
  temperature?: number
  max_output_tokens?: number
  reasoning_effort?: string
}

/** What differs from provider to provider. */
export interface Dialect {
  open(fetch: Fetch): LanguageModelV3
  options(request: ModelRequest): SharedV3ProviderOptions
  headers?(request: ModelRequest): Record<string, string>
  /** Marks the end of what may be cached, where the provider wants it marked. */
  cache_mark?: SharedV3ProviderOptions
  /** Set on every tool. */
  strict?: boolean
  /** A refused request that can be made without what was refused: changes the dialect and asks for another attempt. */
  yields?(failure: Failure): boolean
}

/** A model of the AI SDK's, called at its provider level, behind our port. One request: retries are `resilient`'s. */
export function aiSdkModel(options: AiSdkOptions, dialect: Dialect): Model {
  const { provider, base_url, key_from } = options
  const label = `${provider}/${options.model}`
  const model = dialect.open(fetchOverPost)
  return withoutSecrets({ label, stream: ask }, [options.api_key])

  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    for await (const part of askOnce(request, signal)) {
      if (part.type !== 'failed') yield part
      else if (dialect.yields?.(part.failure)) return yield* askOnce(request, signal)
      else return yield part
    }
  }

  async function* askOnce(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const reply = new Reply(label)
    try {
      const { stream } = await model.doStream(toCall(request, signal))
      for await (const part of stream) {
        if (signal.aborted) return
        if (part.type === 'error') {
          return yield toFailed(part.error, { label, base_url, key_from })
        }
        yield* reply.take(part)
      }
      const failure = reply.problem()
      if (failure) yield { type: 'failed', failure }
    } catch (error) {
      if (signal.aborted) return
      yield toFailed(error, { label, base_url, key_from })
    }
  }

  function toCall(request: ModelRequest, signal: AbortSignal): LanguageModelV3CallOptions {
    const { output_schema } = request
    return {
      prompt: toPrompt(request, { model: label, cache_mark: dialect.cache_mark }),
      tools: toTools(request, dialect.strict === undefined ? {} : { strict: dialect.strict }),
      ...(output_schema && { responseFormat: { type: 'json', schema: output_schema, name: 'answer' } }),
      temperature: options.temperature,
      maxOutputTokens: options.max_output_tokens,
      headers: { ...options.headers, ...dialect.headers?.(request) },
      providerOptions: dialect.options(request),
      abortSignal: signal,
    }
  }
}
