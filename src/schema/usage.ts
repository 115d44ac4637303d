export interface Usage {
  input_tokens: number
  output_tokens: number
  /** Absent when the model's price is unknown: unknown is not free. */
  cost_usd?: number
  model_calls: number
}

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0, model_calls: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    model_calls: a.model_calls + b.model_calls,
  }
  if (a.cost_usd !== undefined && b.cost_usd !== undefined) sum.cost_usd = a.cost_usd + b.cost_usd
  return sum
}
