import type { Usage } from '../../schema/usage.ts'

/** Unknown is not free. */
export const describeCost = ({ cost_usd, model_calls }: Usage): string =>
  cost_usd === undefined ? (model_calls > 0 ? '$?' : '$0.00') : `$${cost_usd.toFixed(2)}`

export const describeTokens = (count: number): string =>
  count < 10_000
    ? String(count)
    : count < 1_000_000
      ? `${Math.round(count / 1000)}k`
      : `${(count / 1e6).toFixed(1)}M`
