import { createXai } from '@ai-sdk/xai'
import type { Model } from '../../../ports/model.ts'
import { type AiSdkOptions, aiSdkModel } from './ai-sdk-model.ts'

/** Grok: the Responses API, or Chat Completions with `api: chat`. */
export function xaiModel(options: AiSdkOptions): Model {
  const { base_url, api_key, model, api = 'responses', reasoning_effort } = options
  return aiSdkModel(options, {
    open: (fetch) => createXai({ baseURL: base_url, apiKey: api_key, fetch })[api](model),
    options: () => ({
      xai: {
        ...(api === 'responses' && { store: false }),
        ...(reasoning_effort && { reasoningEffort: reasoning_effort }),
      },
    }),
    // Sends the requests of one conversation to the server whose cache knows it.
    headers: ({ cache_key }): Record<string, string> => (cache_key ? { 'x-grok-conv-id': cache_key } : {}),
  })
}
