import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A model server that answers word by word: word0 word1 … */
export async function slowWriter(words: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer(async (_, response) => {
    asked += 1
    const say = (choice: object): boolean =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let word = 0; word < words && !response.destroyed; word++) {
      say({ delta: { content: `word${word} ` } })
      await sleep(250)
    }
    say({ delta: {}, finish_reason: 'stop' })
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked }
}
