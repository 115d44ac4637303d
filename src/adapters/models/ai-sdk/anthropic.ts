import { createAnthropic } from '@ai-sdk/anthropic'
import type { JSONObject } from '@ai-sdk/provider'
import type { Model } from '../../../ports/model.ts'
import { type AiSdkOptions, aiSdkModel } from './ai-sdk-model.ts'

/** Claude, over Anthropic's Messages. */
export function anthropicModel(options: AiSdkOptions): Model {
  const { base_url, api_key, model, reasoning_effort } = options
  return aiSdkModel(options, {
    open: (fetch) => createAnthropic({ baseURL: base_url, apiKey: api_key, fetch })(model),
    options: () => ({ anthropic: thinking(model, reasoning_effort) }),
    cache_mark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  })
}

/** Tokens for thinking, for the models that want them counted. */
const budgets: Record<string, number> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_000,
  high: 24_000,
  xhigh: 32_000,
  max: 48_000,
}

function thinking(model: string, effort: string | undefined): JSONObject {
  if (!effort) return {}
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (/^claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-|$))/.test(model))
    return { thinking: { type: 'enabled', budgetTokens: budgets[effort] ?? 10_000 } }
  return {
    thinking: { type: 'adaptive', display: 'summarized' },
    effort: effort === 'minimal' ? 'low' : effort,
  }
}
