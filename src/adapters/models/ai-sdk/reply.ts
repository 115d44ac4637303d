import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider'
import type { ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import { CUT_CALL, isJson } from '../cut-call.ts'
import { type KeptPiece, type KeptReply, mergeOptions } from './kept-reply.ts'

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** Turns the AI SDK's stream into ours, and remembers what has to be given back. */
export class Reply {
  readonly #label: string
  readonly #pieces: KeptPiece[] = []
  /** They come out when the reply is whole: half a reply is not carried out. */
  readonly #calls: CallPart[] = []
  readonly #open = new Map<string, KeptPiece>()
  #finished = false
  #said = false

  constructor(label: string) {
    this.#label = label
  }

  /** A failure is the last part. */
  take(part: LanguageModelV3StreamPart): ModelPart[] {
    switch (part.type) {
      case 'text-start':
        this.#begin({ kind: 'text', length: 0 }, part)
        return []
      case 'reasoning-start':
        this.#begin({ kind: 'reasoning', text: '' }, part)
        return []
      case 'text-delta': {
        const piece = this.#continue(part)
        if (piece?.kind === 'text') piece.length += part.delta.length
        this.#said ||= part.delta !== ''
        return part.delta ? [{ type: 'text', text: part.delta }] : []
      }
      case 'reasoning-delta': {
        const piece = this.#continue(part)
        if (piece?.kind === 'reasoning') piece.text += part.delta
        return part.delta ? [{ type: 'reasoning', text: part.delta }] : []
      }
      case 'text-end':
      case 'reasoning-end':
        this.#continue(part)
        return []
      case 'tool-call': {
        if (part.providerExecuted) return []
        const { toolCallId: id, toolName: name, input } = part
        this.#pieces.push({ kind: 'call', id, options: mergeOptions(undefined, part.providerMetadata) })
        this.#said = true
        this.#calls.push({ type: 'call', id, name, arguments: input })
        return [{ type: 'progress', size: 0 }]
      }
      case 'finish':
        this.#finished = true
        return this.#finish(part)
      case 'tool-input-delta':
        return [{ type: 'progress', size: part.delta.length }]
      case 'stream-start':
        return []
      default:
        return [{ type: 'progress', size: 0 }]
    }
  }

  /** What is wrong with a stream that ended like this. */
  problem(): Failure | undefined {
    if (this.#finished) return undefined
    return brokeOff(this.#label)
  }

  #begin(piece: KeptPiece, { type, id, providerMetadata }: BlockPart): void {
    this.#pieces.push(piece)
    this.#open.set(`${type.split('-')[0]}:${id}`, piece)
    piece.options = mergeOptions(piece.options, providerMetadata)
  }

  #continue({ type, id, providerMetadata }: BlockPart): KeptPiece | undefined {
    const piece = this.#open.get(`${type.split('-')[0]}:${id}`)
    if (piece) piece.options = mergeOptions(piece.options, providerMetadata)
    return piece
  }

  #finish({ finishReason, usage }: Finish): ModelPart[] {
    const { unified, raw } = finishReason
    const parts: ModelPart[] = [...this.#whole(unified), readUsage(usage)]
    const kept = this.#kept()
    if (kept) parts.push({ type: 'metadata', data: kept })
    // The packages always send a finish; without a reason of the provider's own it was not the provider that finished.
    const failure =
      unified === 'other' && raw === undefined ? brokeOff(this.#label) : this.#emptiness(unified)
    if (failure) parts.push({ type: 'failed', failure })
    return parts
  }

  /** The last call of a reply that was cut off at its longest may lack its end. */
  #whole(reason: string): CallPart[] {
    const last = this.#calls.at(-1)
    if (last && reason === 'length' && !isJson(last.arguments)) last.invalid = CUT_CALL
    return this.#calls
  }

  #emptiness(reason: string): Failure | undefined {
    if (this.#said) return undefined
    if (reason === 'length')
      return {
        kind: 'model',
        message: `${this.#label} used up its output before it answered`,
        hint: 'raise max_output_tokens, or lower reasoning_effort',
      }
    if (reason === 'content-filter')
      return {
        kind: 'model',
        message: `${this.#label} refused to answer`,
        hint: 'say it in other words, or choose another model',
      }
    return undefined
  }

  #kept(): KeptReply | undefined {
    const pieces = this.#pieces
      .filter((piece) => piece.kind !== 'reasoning' || piece.options)
      .map((piece) => JSON.parse(JSON.stringify(piece)) as KeptPiece)
    return pieces.some(({ options }) => options) ? { model: this.#label, pieces } : undefined
  }
}

type CallPart = Extract<ModelPart, { type: 'call' }>

interface BlockPart {
  type: string
  id: string
  providerMetadata?: Parameters<typeof mergeOptions>[1]
}

function readUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelPart {
  const { total, cacheRead, cacheWrite } = inputTokens
  return {
    type: 'usage',
    input_tokens: total ?? 0,
    output_tokens: outputTokens.total ?? 0,
    ...(cacheRead && { cached_tokens: cacheRead }),
    ...(cacheWrite && { cache_write_tokens: cacheWrite }),
  }
}

const brokeOff = (label: string): Failure => ({
  kind: 'network',
  message: `${label} broke off in the middle of its reply`,
  retryable: true,
})
