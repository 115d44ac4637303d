import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RecordingProxy {
  url: string
  /** What was sent, byte for byte, oldest first. */
  bodies: string[]
  /** The same, parsed. */
  sent(index?: number): Record<string, unknown>
}

/** Stands in front of a server and keeps what it is asked. */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    bodies.push(body.toString())
    const { method, headers } = request
    forward(new URL(request.url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
      .on('error', (error) => response.destroy(error))
      .end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    sent: (index = -1) => JSON.parse(bodies.at(index) ?? '{}') as Record<string, unknown>,
  }
}
