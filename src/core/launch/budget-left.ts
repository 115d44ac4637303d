import type { RunSettings } from '../../schema/run-event.ts'
import type { Usage } from '../../schema/usage.ts'

export interface Budget {
  max_tokens?: number
  max_usd?: number
}

/** What is left of a budget; nothing when one of its limits is reached. A price nobody knows counts as none. */
export function budgetLeft({ max_tokens, max_usd }: Budget, used: Usage): Budget | undefined {
  const tokens = max_tokens === undefined ? undefined : max_tokens - used.input_tokens - used.output_tokens
  const usd = max_usd === undefined ? undefined : max_usd - (used.cost_usd ?? 0)
  if ((tokens !== undefined && tokens <= 0) || (usd !== undefined && usd <= 0)) return undefined
  return { ...(tokens !== undefined && { max_tokens: tokens }), ...(usd !== undefined && { max_usd: usd }) }
}

/** The settings of a run that follows another one on the same budget; nothing when that is spent. */
export function withinBudget(settings: RunSettings, used: Usage): RunSettings | undefined {
  const budget = budgetLeft(settings.budget, used)
  return budget && { ...settings, budget }
}
