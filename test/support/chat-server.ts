import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ChatRequest {
  messages: { role: string; content: unknown }[]
  tools?: unknown[]
}

/** `silence`: it begins to answer and never goes on, `begins` after these words. */
export type ChatReply =
  | { text: string }
  | { begins: string }
  | { call: { name: string; arguments: object } }
  | 'silence'

/** A server that speaks streamed Chat Completions on this machine and answers as it is told. */
export async function chatServer(
  reply: (request: ChatRequest) => ChatReply,
): Promise<{ base_url: string; requests: ChatRequest[] }> {
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!request.url?.endsWith('/chat/completions')) return response.end('{"data":[]}')
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
      requests.push(asked)
      return send(response, reply(asked))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

let calls = 0

function send(response: ServerResponse, reply: ChatReply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const base = { id: 'chat', object: 'chat.completion.chunk', created: 1, model: 'mock' }
  const event = (data: object): void =>
    void response.write(`data: ${JSON.stringify({ ...base, ...data })}\n\n`)
  const choose = (delta: object, finish_reason: string | null = null): void =>
    event({ choices: [{ index: 0, delta, finish_reason }] })
  choose({ role: 'assistant', content: '' })
  if (reply === 'silence') return
  if ('begins' in reply) return choose({ content: reply.begins })
  if ('text' in reply) {
    choose({ content: reply.text })
    choose({}, 'stop')
  } else {
    calls += 1
    const { name, arguments: given } = reply.call
    const called = { name, arguments: JSON.stringify(given) }
    choose({ tool_calls: [{ index: 0, id: `call_${calls}`, type: 'function', function: called }] })
    choose({}, 'tool_calls')
  }
  event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 } })
  response.end('data: [DONE]\n\n')
}
