import type { JSONValue, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelMessage } from '../../../ports/model.ts'

/**
 * What a provider wants back with a reply: signatures of thoughts, ids of items. The words and the calls themselves are
 * in the reply already, so a piece of text is kept as its length and a call by its place among the calls.
 */
export interface KeptReply {
  /** Only the model that said it can read it. */
  model: string
  pieces: KeptPiece[]
}

export type KeptPiece = (
  | { kind: 'reasoning'; text: string }
  | { kind: 'text'; length: number }
  /** `id` is the provider's own; ours names one call of the chat. */
  | { kind: 'call'; id: string }
) & { options?: SharedV3ProviderOptions }

type Reply = Extract<ModelMessage, { role: 'assistant' }>

/** What this model kept with a reply, if it was this model's and still fits the reply. */
export function readKept(model: string, reply: Reply): KeptPiece[] | undefined {
  const kept = reply.metadata as Partial<KeptReply> | undefined
  if (!kept || kept.model !== model || !Array.isArray(kept.pieces)) return undefined
  const lengths = kept.pieces.map((piece) => (piece.kind === 'text' ? piece.length : 0))
  const calls = kept.pieces.filter(({ kind }) => kind === 'call')
  const fits =
    lengths.reduce((sum, length) => sum + length, 0) === reply.text.length &&
    calls.length === reply.calls.length
  return fits ? kept.pieces : undefined
}

/** Plain JSON, without what is undefined. */
export function mergeOptions(
  before: SharedV3ProviderOptions | undefined,
  after: Record<string, Record<string, JSONValue | undefined>> | undefined,
): SharedV3ProviderOptions | undefined {
  if (!after) return before
  const merged: SharedV3ProviderOptions = { ...before }
  for (const [provider, options] of Object.entries(after)) {
    merged[provider] = { ...merged[provider], ...(JSON.parse(JSON.stringify(options)) as object) }
  }
  return merged
}
