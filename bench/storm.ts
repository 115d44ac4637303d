// A team against a provider that refuses: requests made for each one needed, and what the protection costs when all is
// well. Run: sh scripts/node.sh bench/storm.ts
import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAiCompatible } from '../src/adapters/models/openai-compatible/openai-compatible.ts'
import { resilient } from '../src/adapters/models/resilient/resilient.ts'
import type { Model, ModelPart, ModelRequest } from '../src/ports/model.ts'

const AGENTS = 24
const CALLS = 3
const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'hi' }], tools: [] }

await storm('8 a second, no Retry-After', 8)
await storm('8 a second, Retry-After 1', 8, '1')
await storm('20 a second, Retry-After 0', 20, '0')
await overhead('reply of 1 part', 1, 2_000)
await overhead('reply of 1,000 parts', 1_000, 200)

async function storm(what: string, perSecond: number, retryAfter?: string): Promise<void> {
  let [requests, second, taken] = [0, 0, 0]
  const server = createServer((incoming, response) => {
    incoming.resume()
    requests++
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) [second, taken] = [now, 0]
    if (++taken <= perSecond) return reply(response)
    response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = resilient(openAiCompatible({ base_url, model: 'm' }), { provider: base_url })
  const began = performance.now()
  let failed = 0
  const agent = async () => {
    for (let call = 0; call < CALLS; call++) if ((await ask(model)).at(-1)?.type === 'failed') failed++
  }
  await Promise.all(Array.from({ length: AGENTS }, agent))
  server.close()
  server.closeAllConnections()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const ratio = (requests / (AGENTS * CALLS)).toFixed(2)
  print(`storm: ${what}`, `${ratio} requests for each needed, ${seconds} s, ${failed} failed`)
}

function reply(response: ServerResponse): void {
  const chunk = { choices: [{ delta: { content: 'yes' }, finish_reason: 'stop' }] }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
}

async function overhead(what: string, parts: number, rounds: number): Promise<void> {
  const plain: Model = {
    label: 'plain',
    async *stream() {
      for (let part = 0; part < parts; part++) yield { type: 'text', text: 'some words ' }
    },
  }
  const protectedModel = resilient(plain, { provider: `bench ${parts}` })
  const [bare, wrapped] = [await cost(plain, rounds), await cost(protectedModel, rounds)]
  print(`overhead: ${what}`, `${((wrapped - bare) * 1000).toFixed(1)} µs a reply`)
}

/** Milliseconds of one reply: the median. */
async function cost(model: Model, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await ask(model)
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN
}

async function ask(model: Model): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.stream(request, new AbortController().signal)) parts.push(part)
  return parts
}

function print(what: string, result: string): void {
  process.stdout.write(`${what.padEnd(36)} ${result}\n`)
}
