import type { Model, ModelPart } from '../../../ports/model.ts'
import { type Price, prices } from './prices.ts'

export const free: Price = { input: 0, output: 0 }

/** The price of `provider/model`; a dated version costs what its model costs. Unknown is not free. */
export function priceOf(model: string): Price | undefined {
  const known = (name: string) => (Object.hasOwn(prices, name) ? prices[name] : undefined)
  return known(model) ?? known(model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, ''))
}

type UsagePart = Extract<ModelPart, { type: 'usage' }>

export function costOf(price: Price, usage: Omit<UsagePart, 'type'>): number {
  const { input_tokens, output_tokens, cached_tokens = 0, cache_write_tokens = 0 } = usage
  const rate = price.above && input_tokens > price.above.tokens ? price.above : price
  const { input, cached = input, cache_write = input, output } = rate
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens)
  const total =
    plain * input + cached_tokens * cached + cache_write_tokens * cache_write + output_tokens * output
  return total / 1_000_000
}

/** The same model, whose usage says what it cost. Without a price the cost stays unknown. */
export function withCost(model: Model, price: Price | undefined): Model {
  if (!price) return model
  return {
    ...model,
    async *stream(...asked): AsyncGenerator<ModelPart> {
      for await (const part of model.stream(...asked)) {
        yield part.type === 'usage' ? { cost_usd: costOf(price, part), ...part } : part
      }
    },
  }
}
