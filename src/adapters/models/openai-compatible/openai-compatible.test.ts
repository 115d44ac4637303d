import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  type Answer,
  answers,
  breaksOff,
  delta,
  event,
  faultServer,
  goesSilent,
  says,
  streams,
} from '../../../../test/support/fault-server.ts'
import type { ModelPart } from '../../../ports/model.ts'
import { type OpenAiCompatibleOptions, openAiCompatible } from './openai-compatible.ts'

const request = { system: 's', messages: [{ role: 'user', text: 'hi' } as const], tools: [] }

async function setUp(options: Partial<OpenAiCompatibleOptions>, ...given: Answer[]) {
  const server = await faultServer(...given)
  const model = openAiCompatible({ base_url: server.url, model: 'm', first_delay_ms: 1, ...options })
  const ask = (signal = new AbortController().signal): Promise<ModelPart[]> =>
    Array.fromAsync(model.stream(request, signal))
  return { server, model, ask }
}

const text = (words: string): ModelPart => ({ type: 'text', text: words })
const failed = (failure: object): object => ({ type: 'failed', failure: expect.objectContaining(failure) })
const retrying = (fields: object = {}): object => expect.objectContaining({ type: 'retrying', ...fields })

test('posts the request with the key and further headers, and streams the reply', async () => {
  const chunks = [delta({ content: 'he' }), delta({ content: 'llo' }), delta({}, 'stop')]
  const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }
  const { server, ask } = await setUp(
    { api_key: 'secret', headers: { 'x-team': 'blue' } },
    streams(...chunks, usage),
  )
  expect(await ask()).toEqual([text('he'), text('llo'), { type: 'usage', input_tokens: 5, output_tokens: 2 }])
  const [received] = server.requests
  expect(received?.path).toBe('/v1/chat/completions')
  expect(received?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'blue' })
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ model: 'm', stream: true })
})

test('reads a reply that is split at every byte of it', async () => {
  const body = Buffer.from(event(delta({ content: 'né🙂' })) + event(delta({}, 'stop')))
  const bytewise: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.socket?.setNoDelay(true)
    for (const byte of body) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    response.end()
  }
  const { ask } = await setUp({}, bytewise)
  expect(await ask()).toEqual([text('né🙂')])
})

test('gives out tool calls whole, after the text', async () => {
  const pieces = ['{"pa', 'th":', '"x"}'].map((part) =>
    delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'read_file', arguments: part } }] }),
  )
  const { ask } = await setUp({}, streams(...pieces, delta({ content: 'ok' }, 'tool_calls')))
  expect(await ask()).toEqual([
    text('ok'),
    { type: 'call', id: 'c', name: 'read_file', arguments: '{"path":"x"}' },
  ])
})

test('takes an answer that is not streamed', async () => {
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 't', arguments: '{}' } }]
  const message = { role: 'assistant', content: 'whole', reasoning_content: 'why', tool_calls }
  const body = { choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } }
  const { ask } = await setUp({}, answers(200, JSON.stringify(body)))
  expect(await ask()).toEqual([
    { type: 'reasoning', text: 'why' },
    text('whole'),
    { type: 'usage', input_tokens: 1, output_tokens: 0 },
    { type: 'call', id: 'c', name: 't', arguments: '{}' },
  ])
})

test('takes the end mark for an end, also from a server that gives no finish_reason', async () => {
  const { ask } = await setUp({}, streams(delta({ content: 'fine' })))
  expect(await ask()).toEqual([text('fine')])
})

test('does not wait for a server that keeps the stream open after the end mark', async () => {
  const open: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`${event(delta({ content: 'fine' }, 'stop'))}data: [DONE]\n\n`)
  }
  const { ask } = await setUp({}, open)
  expect(await ask()).toEqual([text('fine')])
})

test('asks again over the same connection', async () => {
  const { server, ask } = await setUp({}, says('one'), says('two'))
  await ask()
  await sleep(20)
  await ask()
  expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0])
})

test('tries again after 429 and 500, as soon as the server allows', async () => {
  const busy = answers(429, '{"error":{"message":"slow down"}}', { 'retry-after': '0' })
  const broken = answers(500, '{"error":"oops"}', { 'retry-after': '0.01' })
  const { server, ask } = await setUp({ first_delay_ms: 60_000 }, busy, broken, says('at last'))
  expect(await ask()).toEqual([
    retrying({ attempt: 1, delay_ms: 0, reason: 'openai_compatible/m answered 429: slow down' }),
    retrying({ attempt: 2, delay_ms: 10, reason: 'openai_compatible/m answered 500: oops' }),
    text('at last'),
  ])
  expect(server.requests).toHaveLength(3)
})

test('waits longer each time when the server says nothing about it, and gives up in the end', async () => {
  const { server, ask } = await setUp({ first_delay_ms: 8 }, answers(503, 'down for repairs'))
  const parts = await ask()
  const delays = parts.flatMap((part) => (part.type === 'retrying' ? [part.delay_ms] : []))
  expect(delays).toHaveLength(3)
  for (const [index, usual] of [8, 16, 32].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(usual * 0.75)
    expect(delays[index]).toBeLessThanOrEqual(usual * 1.25)
  }
  expect(parts.at(-1)).toEqual(failed({ message: 'openai_compatible/m answered 503: down for repairs' }))
  expect(server.requests).toHaveLength(4)
})

test.each([
  { status: 401, kind: 'credentials', hint: /api_key_env/ },
  { status: 403, kind: 'credentials', hint: /api_key_env/ },
  { status: 404, kind: 'model', hint: /base_url/ },
  { status: 400, kind: 'model', hint: undefined },
])('does not try again after $status', async ({ status, kind, hint }) => {
  const { server, ask } = await setUp({}, answers(status, '{"error":{"message":"no"}}'))
  const message = `openai_compatible/m answered ${status}: no`
  const expected = { kind, message, ...(hint && { hint: expect.stringMatching(hint) }) }
  expect(await ask()).toEqual([failed(expected)])
  expect(server.requests).toHaveLength(1)
})

test('never repeats the key, whatever the server says about it', async () => {
  const { ask } = await setUp({ api_key: 'sk-12345' }, answers(401, '{"error":"bad key sk-12345"}'))
  expect(await ask()).toEqual([failed({ message: 'openai_compatible/m answered 401: bad key [key]' })])
})

test('tries again when a reply breaks off before anything was shown', async () => {
  const { ask } = await setUp({}, breaksOff(), says('whole'))
  expect(await ask()).toEqual([retrying(), text('whole')])
})

test('does not try again once text was shown', async () => {
  const { server, ask } = await setUp({}, breaksOff(delta({ content: 'half' })), says('whole'))
  expect(await ask()).toEqual([text('half'), failed({ kind: 'network', retryable: true })])
  expect(server.requests).toHaveLength(1)
})

test('calls a stream that ends without an end a broken one', async () => {
  const cut: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(event(delta({ content: 'half' })))
  }
  const { ask } = await setUp({}, cut)
  const message = 'openai_compatible/m broke off in the middle of its reply'
  expect(await ask()).toEqual([text('half'), failed({ kind: 'network', message })])
})

test('reports what the provider says in the middle of a stream', async () => {
  const chunks = [delta({ content: 'half' }), { error: { message: 'overloaded' } }, delta({ content: 'x' })]
  const { ask } = await setUp({}, streams(...chunks))
  expect(await ask()).toEqual([text('half'), failed({ message: 'the provider reported: overloaded' })])
})

test('says so when what answers is no model', async () => {
  const page = answers(200, '<html><body>Welcome</body></html>', { 'content-type': 'text/html' })
  const web = await setUp({}, page)
  expect(await web.ask()).toEqual([
    failed({ kind: 'model', message: 'openai_compatible/m answered with a web page' }),
  ])
  expect(web.server.requests).toHaveLength(1)
  const garbage: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('data: {"choices":[\n\n')
  }
  for (const answer of [garbage, answers(200, '{"choices":')]) {
    const { ask } = await setUp({}, answer)
    const expected = { kind: 'model', message: expect.stringContaining('sent something that is no reply') }
    expect((await ask()).at(-1)).toEqual(failed(expected))
  }
})

test('says where nothing answers, without the password of the address', async () => {
  const model = openAiCompatible({
    base_url: 'http://user:hunter2@127.0.0.1:1/v1',
    model: 'm',
    first_delay_ms: 1,
  })
  const parts = await Array.fromAsync(model.stream(request, new AbortController().signal))
  const message = 'nothing answers at http://127.0.0.1:1/v1/chat/completions'
  expect(parts).toEqual([retrying(), retrying(), retrying(), failed({ kind: 'network', message })])
})

test('does not try again with a header that cannot be sent', async () => {
  const { server, ask } = await setUp({ headers: { 'x-bad': 'two\nlines' } }, says('hi'))
  expect(await ask()).toEqual([failed({ kind: 'input', message: expect.stringContaining('cannot be made') })])
  expect(server.requests).toHaveLength(0)
})

test('gives up on a server that says nothing, at first or from some point on', async () => {
  const mute = await setUp({ silence_ms: 30 }, goesSilent())
  const message = 'the connection to openai_compatible/m failed: no answer for 0.03 s'
  expect((await mute.ask()).at(-1)).toEqual(failed({ kind: 'network', message }))
  const tired = await setUp({ silence_ms: 30 }, goesSilent(delta({ content: 'half' })))
  expect(await tired.ask()).toEqual([text('half'), failed({ kind: 'network', message })])
})

test('is patient with a slow server that goes on saying something', async () => {
  const slow: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let beat = 0; beat < 8; beat++) {
      response.write(': still thinking\n\n')
      await sleep(100)
    }
    response.end(event(delta({ content: 'done' }, 'stop')))
  }
  const { ask } = await setUp({ silence_ms: 600 }, slow)
  expect(await ask()).toEqual([text('done')])
})

test.each([
  { when: 'waiting for the answer', answer: goesSilent(), seen: [] },
  { when: 'reading', answer: goesSilent(delta({ content: 'half' })), seen: [text('half')] },
  {
    when: 'pausing',
    answer: answers(429, '{}', { 'retry-after': '25' }),
    seen: [retrying({ delay_ms: 25_000 })],
  },
])('ends without a word when it is aborted while $when', async ({ answer, seen }) => {
  const { server, model } = await setUp({}, answer)
  const stop = new AbortController()
  const parts: ModelPart[] = []
  const asking = (async () => {
    for await (const part of model.stream(request, stop.signal)) parts.push(part)
  })()
  await server.received(1)
  while (parts.length < seen.length) await sleep(1)
  stop.abort()
  await asking
  expect(parts).toEqual(seen)
})

test('ends at once when it is aborted as the pause begins, or before it began at all', async () => {
  const { server, model, ask } = await setUp({}, answers(429, '{}', { 'retry-after': '25' }))
  const stop = new AbortController()
  for await (const part of model.stream(request, stop.signal)) if (part.type === 'retrying') stop.abort()
  expect(server.requests).toHaveLength(1)
  expect(await ask(AbortSignal.abort())).toEqual([])
})
