/** US dollars for a million tokens. */
export interface Price {
  input: number
  /** Read from the provider's cache; the same as `input` when absent. */
  cached?: number
  /** Written to the provider's cache; the same as `input` when absent. */
  cache_write?: number
  output: number
  /** For a whole request whose input is longer than this. */
  above?: { tokens: number } & Omit<Price, 'above'>
}

/**
 * List prices as their providers published them, by `provider/model`, written down on this day. A model whose price was
 * not certain is left out: an unknown cost is shown as unknown.
 */
export const priceDate = '2026-11-15'

export const prices: Record<string, Price> = {
  'anthropic/claude-fable-5-1': { input: 10, cached: 0.25, cache_write: 12.5, output: 50 },
  'anthropic/claude-fable-5': { input: 10, cached: 1, cache_write: 12.5, output: 50 },
  'anthropic/claude-opus-5-5': { input: 4, cached: 0.2, cache_write: 5, output: 20 },
  'anthropic/claude-opus-5': { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  'anthropic/claude-opus-4-8': { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  'anthropic/claude-opus-4-7': { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  'anthropic/claude-opus-4-6': { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  'anthropic/claude-opus-4-5': { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  'anthropic/claude-sonnet-5-5': { input: 2, cached: 0.1, cache_write: 2.5, output: 10 },
  'anthropic/claude-sonnet-4-6': { input: 3, cached: 0.3, cache_write: 3.75, output: 15 },
  'anthropic/claude-sonnet-4-5': { input: 3, cached: 0.3, cache_write: 3.75, output: 15 },
  'anthropic/claude-haiku-4-5': { input: 1, cached: 0.1, cache_write: 1.25, output: 5 },
  'openai/gpt-6.1-sol': {
    input: 2,
    cached: 0.1,
    cache_write: 2.5,
    output: 10,
    above: { tokens: 272_000, input: 4, cached: 0.2, cache_write: 5, output: 15 },
  },
  'openai/gpt-5.2': { input: 1.75, cached: 0.175, output: 14 },
  'openai/gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'openai/gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'openai/gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'openai/o3': { input: 2, cached: 0.5, output: 8 },
  'openai/o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
  // Introductory, until the end of 2026.
  'gemini/gemini-3.8-flash': { input: 0.75, cached: 0.075, output: 3.75 },
  'gemini/gemini-3.5-flash': { input: 1.5, cached: 0.15, output: 9 },
  'gemini/gemini-2.5-pro': {
    input: 1.25,
    cached: 0.125,
    output: 10,
    above: { tokens: 200_000, input: 2.5, cached: 0.25, output: 15 },
  },
  'gemini/gemini-2.5-flash': { input: 0.3, cached: 0.03, output: 2.5 },
  'xai/grok-4.7': {
    input: 2,
    cached: 0.5,
    output: 6,
    above: { tokens: 199_999, input: 4, cached: 1, output: 12 },
  },
}
