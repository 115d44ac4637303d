import type { ModelMessage, ModelRequest } from '../../../ports/model.ts'

export interface WireOptions {
  model: string
  temperature?: number
  max_output_tokens?: number
  reasoning_effort?: string
}

/** The Chat Completions request for ours. The head never changes within a turn, so that provider caches hit. */
export function toWire(options: WireOptions, request: ModelRequest): object {
  const { model, temperature, max_output_tokens, reasoning_effort } = options
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(toWireMessage)],
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function', function: tool })),
    }),
    ...(request.output_schema && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: request.output_schema },
      },
    }),
    temperature,
    max_tokens: max_output_tokens,
    reasoning_effort,
  }
}

function toWireMessage(message: ModelMessage): object {
  switch (message.role) {
    case 'user':
      if (!message.images?.length) return { role: 'user', content: message.text }
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.text },
          ...message.images.map(({ media_type, data }) => ({
            type: 'image_url',
            image_url: { url: `data:${media_type};base64,${data}` },
          })),
        ],
      }
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
