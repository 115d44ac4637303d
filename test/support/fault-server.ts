import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** Answers one request, well or badly. */
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>

export interface ReceivedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: string
  /** The requests of one connection share its number. */
  connection: number
}

export interface FaultServer {
  /** For `base_url`. */
  url: string
  requests: ReceivedRequest[]
  /** Resolves when that many requests have come. */
  received(count: number): Promise<void>
  /** Cuts all connections and refuses new ones for a while, like a server that is started again. */
  restart(ms: number): Promise<void>
}

/** A model server on this machine that gives these answers in order, and the last one for ever. */
export async function faultServer(...answers: Answer[]): Promise<FaultServer> {
  const requests: ReceivedRequest[] = []
  const connections: unknown[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    for await (const chunk of request) body += chunk as string
    if (!connections.includes(request.socket)) connections.push(request.socket)
    const connection = connections.indexOf(request.socket)
    const received = { path: request.url ?? '', headers: request.headers, body, connection }
    requests.push(received)
    for (const wake of waiting) wake()
    await answers[Math.min(requests.length, answers.length) - 1]?.(response, received)
  })
  const port = await listen(server, anyPort)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async restart(ms) {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await new Promise((resolve) => setTimeout(resolve, ms))
      await listen(server, () => port)
    },
    async received(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}

/** Below the ports that the system gives to connections: a server that starts again finds its own still free. */
const anyPort = (): number => 10_240 + Math.floor(Math.random() * 22_000)

async function listen(server: Server, choose: () => number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = choose()
    server.listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      return port
    } catch (error) {
      if (attempt === 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

/** A whole event stream: the chunks, then the end mark. */
export const streams =
  (...chunks: object[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...chunks.map(event), 'data: [DONE]\n\n'].join(''))
  }

/** The text of an event stream that breaks off: the connection is closed after it. */
export const breaksOff =
  (...chunks: (object | string)[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(typeof chunk === 'string' ? chunk : event(chunk))
    setImmediate(() => response.socket?.end())
  }

export const answers =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

/** Takes the request and says nothing, or nothing more after these chunks. */
export const goesSilent =
  (...chunks: object[]): Answer =>
  (response) => {
    if (chunks.length === 0) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(event(chunk))
  }

/** The chunk of a streamed reply with this delta. */
export const delta = (fields: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
})

/** A reply of words only. */
export const says = (text: string): Answer => streams(delta({ content: text }), delta({}, 'stop'))

/** A reply that calls one tool. */
export const calls = (name: string, input: object): Answer =>
  streams(
    delta({
      tool_calls: [{ index: 0, id: 'call_1', function: { name, arguments: JSON.stringify(input) } }],
    }),
    delta({}, 'tool_calls'),
  )

export const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
