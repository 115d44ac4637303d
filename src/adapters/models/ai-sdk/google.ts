import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { JSONObject } from '@ai-sdk/provider'
import type { Model } from '../../../ports/model.ts'
import { type AiSdkOptions, aiSdkModel } from './ai-sdk-model.ts'

/** Gemini, over Google's own protocol. */
export function googleModel(options: AiSdkOptions): Model {
  const { base_url, api_key, model, reasoning_effort } = options
  return aiSdkModel(options, {
    open: (fetch) => createGoogleGenerativeAI({ baseURL: base_url, apiKey: api_key, fetch })(model),
    options: () => ({ google: thinking(model, reasoning_effort) }),
  })
}

/** Tokens for thinking, for the generation that counts them. */
const budgets: Record<string, number> = { none: 0, minimal: 512, low: 2_048, medium: 8_192, high: 24_576 }

const levels: Record<string, string> = { none: 'minimal', xhigh: 'high', max: 'high' }

function thinking(model: string, effort: string | undefined): JSONObject {
  // The oldest ones do not think and refuse to be asked about it.
  if (/^(gemini-(1|2\.0)|gemma)/.test(model)) return {}
  const thinkingConfig: JSONObject = { includeThoughts: true }
  if (effort && model.startsWith('gemini-2.5'))
    thinkingConfig['thinkingBudget'] = budgets[effort] ?? budgets['high']
  else if (effort) thinkingConfig['thinkingLevel'] = levels[effort] ?? effort
  return { thinkingConfig }
}
