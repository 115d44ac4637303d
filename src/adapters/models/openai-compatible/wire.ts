import type { ModelMessage, ModelRequest } from '../../../ports/model.ts'

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
