import { createOpenAI } from '@ai-sdk/openai'
import type { Model } from '../../../ports/model.ts'
import { type AiSdkOptions, aiSdkModel } from './ai-sdk-model.ts'

/** OpenAI, Azure's OpenAI and what speaks their Responses API; Chat Completions with `api: chat`. */
export function openAiModel(options: AiSdkOptions): Model {
  const { base_url, api_key, model, api = 'responses', reasoning_effort } = options
  // Organisations that are not verified may not see summaries of thoughts; they learn it from the first request.
  let summaries = api === 'responses'
  return aiSdkModel(options, {
    // What is not strict by default there must say so: our schemas have optional properties.
    strict: false,
    open: (fetch) => createOpenAI({ baseURL: base_url, apiKey: api_key, fetch })[api](model),
    options: ({ cache_key, output_schema }) => ({
      openai: {
        // Nothing is kept on their side: what they need back comes encrypted and is sent again.
        store: false,
        ...(cache_key && { promptCacheKey: cache_key }),
        ...(reasoning_effort && { reasoningEffort: reasoning_effort }),
        ...(summaries && { reasoningSummary: 'auto' }),
        ...(output_schema && { strictJsonSchema: isStrict(output_schema) }),
      },
    }),
    yields: ({ message }) => {
      if (!summaries || !/answered 400.*(summar|verified)/is.test(message)) return false
      summaries = false
      return true
    },
  })
}

/** Strict mode wants every property required and no others, all the way down. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  if (type === 'object' || properties) {
    const named = Object.keys((properties ?? {}) as object)
    const wanted = Array.isArray(required) ? required : []
    if (additionalProperties !== false || !named.every((name) => wanted.includes(name))) return false
  }
  return Object.values(schema).every(isStrict)
}
