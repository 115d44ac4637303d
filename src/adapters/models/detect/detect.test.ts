import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findKeys } from './environment.ts'
import { findLocalServers } from './local-servers.ts'

test('finds the providers whose keys are set, in the order to choose from', () => {
  const found = findKeys({ GROQ_API_KEY: 'x', OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', XAI_API_KEY: ' ' })
  expect(found.map(({ provider, because }) => [provider, because])).toEqual([
    ['anthropic', 'ANTHROPIC_API_KEY is set'],
    ['openai', 'OPENAI_API_KEY is set'],
    ['groq', 'GROQ_API_KEY is set'],
  ])
  expect(found.map(({ models }) => models.length)).toEqual([1, 1, 0])
  expect(findKeys({ PATH: '/bin' })).toEqual([])
})

test('a provider without an address is not found by its key alone', () => {
  expect(findKeys({ AZURE_OPENAI_API_KEY: 'x' })).toEqual([])
  expect(findKeys({ AZURE_OPENAI_API_KEY: 'x', AZURE_OPENAI_ENDPOINT: 'https://a.example' })).toHaveLength(1)
})

test('finds servers that list models, and not what only answers, breaks off or keeps silent', async () => {
  const models = await serve((answer) =>
    answer(200, '{"object":"list","data":[{"id":"qwen3"},{"id":7},null]}'),
  )
  const others = await Promise.all([
    serve((answer) => answer(200, '<html>')),
    serve((answer) => answer(404, '{"data":[]}')),
    serve((answer) => answer(200, '{"data":"none"}')),
    serve(() => undefined),
    'http://127.0.0.1:9/v1',
  ])
  const places = [models, ...others].map((base_url) => ({ provider: 'vllm' as const, base_url }))
  expect(await findLocalServers(places, 300)).toEqual([
    { provider: 'vllm', because: `it answers at ${models}`, models: ['qwen3'], base_url: models },
  ])
})

async function serve(handle: (answer: (status: number, body: string) => void) => void): Promise<string> {
  const server = createServer((_, response) =>
    handle(
      (status, body) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
