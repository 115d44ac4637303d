import { expect, test } from 'vitest'
import type { Model, ModelHost, ModelPart } from '../../../ports/model.ts'
import { costOf, free, priceOf, withCost } from './cost.ts'
import { prices } from './prices.ts'
import { windowOf } from './windows.ts'

const price = { input: 2, cached: 0.2, cache_write: 2.5, output: 10 }

test('counts cached and newly cached input at their own prices', () => {
  const usage = {
    input_tokens: 1_000_000,
    cached_tokens: 600_000,
    cache_write_tokens: 100_000,
    output_tokens: 50_000,
  }
  expect(costOf(price, usage)).toBeCloseTo(0.3 * 2 + 0.6 * 0.2 + 0.1 * 2.5 + 0.05 * 10)
  expect(costOf({ input: 2, output: 10 }, usage)).toBeCloseTo(2 + 0.5)
})

test('a long request costs its own price as a whole', () => {
  const tiered = { ...price, above: { tokens: 200_000, input: 4, output: 20 } }
  expect(costOf(tiered, { input_tokens: 200_000, output_tokens: 0 })).toBeCloseTo(0.4)
  expect(costOf(tiered, { input_tokens: 200_001, output_tokens: 0 })).toBeCloseTo(0.8, 4)
})

test('knows a model by its name and by a dated version of it, and does not guess', () => {
  expect(priceOf('anthropic/claude-haiku-4-5')).toEqual({
    input: 1,
    cached: 0.1,
    cache_write: 1.25,
    output: 5,
  })
  expect(priceOf('anthropic/claude-haiku-4-5-20251001')).toEqual(priceOf('anthropic/claude-haiku-4-5'))
  expect(priceOf('openai/gpt-5-2025-08-07')).toEqual(priceOf('openai/gpt-5'))
  for (const unknown of ['openai/gpt-5-turbo', 'groq/gpt-5', 'anthropic/toString', '__proto__'])
    expect(priceOf(unknown), unknown).toBeUndefined()
})

test('every price of the table is a price', () => {
  for (const [name, { input, cached = input, cache_write = input, output, above }] of Object.entries(
    prices,
  )) {
    expect(name).toMatch(/^[a-z]+\/[\w.-]+$/)
    expect(output, name).toBeGreaterThan(input)
    expect(cached, name).toBeLessThanOrEqual(input)
    expect(cache_write, name).toBeGreaterThanOrEqual(input)
    if (above) expect(above.input, name).toBeGreaterThan(input)
  }
})

test('adds the cost to the usage; without a price it stays unknown, and a cost that is given stays', async () => {
  const usage = { type: 'usage', input_tokens: 1_000_000, output_tokens: 0 } as const
  expect(await ask(withCost(saying(usage), price))).toEqual([{ ...usage, cost_usd: 2 }])
  expect(await ask(withCost(saying(usage), free))).toEqual([{ ...usage, cost_usd: 0 }])
  expect(await ask(withCost(saying(usage), undefined))).toEqual([usage])
  expect(await ask(withCost(saying({ ...usage, cost_usd: 1 }), price))).toEqual([{ ...usage, cost_usd: 1 }])
})

test('knows how much fits into a model, and does not guess', () => {
  expect(windowOf('openai/gpt-5-mini')).toBe(400_000)
  expect(windowOf('anthropic/claude-opus-5-5')).toBe(1_000_000)
  expect(windowOf('openai/gpt-5.4')).toBeUndefined()
  expect(windowOf('ollama/qwen3')).toBeUndefined()
})

const saying = (part: ModelPart): Model => ({
  label: 'm',
  async *stream() {
    yield part
  },
})

async function ask(model: Model): Promise<ModelPart[]> {
  const request = { system: '', messages: [], tools: [] }
  const parts: ModelPart[] = []
  for await (const part of model.stream(
    request,
    new AbortController().signal,
    undefined as unknown as ModelHost,
  ))
    parts.push(part)
  return parts
}
