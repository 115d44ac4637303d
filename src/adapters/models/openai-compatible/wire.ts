import type { ModelMessage, ModelPart, ModelRequest } from '../../../ports/model.ts'

/** The Chat Completions request for ours. The head never changes within a turn, so that provider caches hit. */
export function toWire(model: string, request: ModelRequest): object {
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(toWireMessage)],
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function', function: tool })),
    }),
  }
}

function toWireMessage(message: ModelMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.call_id, content: message.output }
    case 'assistant':
      if (message.calls.length === 0) return { role: 'assistant', content: message.text }
      return {
        role: 'assistant',
        content: message.text || null,
        tool_calls: message.calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }
  }
}

interface WireDelta {
  content?: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}

interface WireChunk {
  choices?: { delta?: WireDelta; message?: WireDelta; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
  error?: { message?: string } | string
}

/** Puts the pieces of a streamed reply together. Tool calls come out whole, at the end. */
export class ReplyReader {
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>()
  /** The provider said that it was done; without that the stream was cut off. */
  finished = false

  read(data: string): ModelPart[] {
    const chunk = JSON.parse(data) as WireChunk
    if (chunk.error) {
      const message = typeof chunk.error === 'string' ? chunk.error : (chunk.error.message ?? 'unknown error')
      return [
        {
          type: 'failed',
          failure: { kind: 'model', message: `the provider reported: ${message}`, retryable: true },
        },
      ]
    }
    const parts: ModelPart[] = []
    const choice = chunk.choices?.[0]
    const delta = choice?.delta ?? choice?.message
    const reasoning = delta?.reasoning_content ?? delta?.reasoning
    if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
    if (delta?.content) parts.push({ type: 'text', text: delta.content })
    for (const [position, piece] of (delta?.tool_calls ?? []).entries()) this.#take(piece, position)
    if (choice?.finish_reason) this.finished = true
    const { usage } = chunk
    if (usage) {
      parts.push({
        type: 'usage',
        input_tokens: usage.prompt_tokens ?? 0,
        output_tokens: usage.completion_tokens ?? 0,
      })
    }
    return parts
  }

  calls(): ModelPart[] {
    return [...this.#calls.values()].map((call) => ({ type: 'call', ...call }))
  }

  /** Some servers leave out the index, or repeat one for a second call with a new id. */
  #take(piece: NonNullable<WireDelta['tool_calls']>[number], position: number): void {
    let index = piece.index ?? (piece.id ? this.#calls.size : Math.max(0, this.#calls.size - 1, position))
    const known = this.#calls.get(index)
    if (known && piece.id && known.id && piece.id !== known.id && piece.function?.name)
      index = this.#calls.size
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' }
    call.id ||= piece.id ?? ''
    call.name ||= piece.function?.name ?? ''
    call.arguments += piece.function?.arguments ?? ''
    this.#calls.set(index, call)
  }
}
