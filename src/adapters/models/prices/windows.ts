/** Tokens that fit into one request and its reply, as their providers say; the longest beginning that fits counts. */
const windows: Record<string, number> = {
  'anthropic/claude-fable-5': 1_000_000,
  'anthropic/claude-opus-5': 1_000_000,
  'anthropic/claude-sonnet-5-5': 1_000_000,
  'anthropic/claude-haiku-5-5': 1_000_000,
  'anthropic/claude-sonnet-4-5': 200_000,
  'anthropic/claude-opus-4-5': 200_000,
  'anthropic/claude-haiku-4-5': 200_000,
  'openai/gpt-6.1-sol': 1_050_000,
  'openai/gpt-5': 400_000,
  'openai/gpt-5-chat': 128_000,
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-4o': 128_000,
  'openai/o3': 200_000,
  'openai/o4-mini': 200_000,
  'gemini/gemini-3.5-flash': 1_048_576,
  'gemini/gemini-2.5-pro': 1_048_576,
  'gemini/gemini-2.5-flash': 1_048_576,
  'xai/grok-4.7': 500_000,
  'xai/grok-4.5': 500_000,
}

/** The window of `provider/model`, where it is known. */
export function windowOf(model: string): number | undefined {
  const [best] = Object.keys(windows)
    .filter((name) => model === name || model.startsWith(`${name}-`))
    .sort((a, b) => b.length - a.length)
  return best ? windows[best] : undefined
}
