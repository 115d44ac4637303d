import type {
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelMessage, ModelRequest } from '../../../ports/model.ts'
import { readKept } from './kept-reply.ts'

export interface PromptOptions {
  /** Label of the model that will read it: what another model kept is left out. */
  model: string
  /** Set on the system prompt and on the last message: everything before it may be cached. */
  cache_mark?: SharedV3ProviderOptions
}

type Assistant = Extract<LanguageModelV3Message, { role: 'assistant' }>

/** Our request in the AI SDK's form. Earlier messages never change, but for the mark on the last one. */
export function toPrompt(request: ModelRequest, { model, cache_mark }: PromptOptions): LanguageModelV3Prompt {
  const ids = providerIds(request.messages, model)
  const messages: LanguageModelV3Message[] = []
  for (const message of request.messages) {
    const next = toMessage(message, model, ids)
    const before = messages.at(-1)
    // Google wants the results of one reply's calls in one message.
    if (before?.role === 'tool' && next.role === 'tool') before.content.push(...next.content)
    else messages.push(next)
  }
  const last = messages.at(-1)
  if (last && cache_mark) last.providerOptions = cache_mark
  return [
    { role: 'system', content: request.system, ...(cache_mark && { providerOptions: cache_mark }) },
    ...messages,
  ]
}

export function toTools(
  { tools }: ModelRequest,
  extra: { strict?: boolean } = {},
): LanguageModelV3CallOptions['tools'] {
  if (tools.length === 0) return undefined
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
    ...extra,
  }))
}

function toMessage(message: ModelMessage, model: string, ids: Map<string, string>): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [
          ...(message.images ?? []).map(({ media_type, data }) => ({
            type: 'file' as const,
            mediaType: media_type,
            data,
          })),
          { type: 'text', text: message.text },
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: ids.get(message.call_id) ?? message.call_id,
            toolName: message.name,
            output: { type: message.success ? 'text' : 'error-text', value: message.output },
          },
        ],
      }
    case 'assistant':
      return { role: 'assistant', content: toContent(message, model, ids) }
  }
}

function toContent(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  model: string,
  ids: Map<string, string>,
): Assistant['content'] {
  const calls = message.calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: ids.get(id) ?? id,
    toolName: name,
    input: input as JSONValue,
  }))
  const kept = readKept(model, message)
  if (!kept) return [...(message.text ? [{ type: 'text' as const, text: message.text }] : []), ...calls]
  let at = 0
  let call = 0
  return kept.flatMap((piece): Assistant['content'] => {
    const providerOptions = piece.options
    switch (piece.kind) {
      case 'reasoning':
        return [{ type: 'reasoning', text: piece.text, providerOptions }]
      case 'text': {
        const text = message.text.slice(at, (at += piece.length))
        return text ? [{ type: 'text', text, providerOptions }] : []
      }
      case 'call': {
        const made = calls[call++]
        return made ? [{ ...made, providerOptions }] : []
      }
    }
  })
}

/** Our ids of calls and the provider's, where its own are known and name one call each. */
function providerIds(messages: readonly ModelMessage[], model: string): Map<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const theirs = (readKept(model, message) ?? []).flatMap((piece) =>
      piece.kind === 'call' ? [piece.id] : [],
    )
    for (const [index, id] of theirs.entries()) {
      const ours = message.calls[index]?.id
      if (!ours || !id || used.has(id)) continue
      used.add(id)
      ids.set(ours, id)
    }
  }
  return ids
}
