import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  type Answer,
  answers,
  breaksOff,
  delta,
  event,
  goesSilent,
  says,
  streams,
} from '../../../../test/support/fault-server.ts'
import type { ModelPart } from '../../../ports/model.ts'
import { collect, failed, request, retrying, setUp, text } from './openai-compatible.test-support.ts'
import { openAiCompatible } from './openai-compatible.ts'

test('tries again after 429 and 500, as soon as the server allows', async () => {
  const busy = answers(429, '{"error":{"message":"slow down"}}', { 'retry-after': '0' })
  const broken = answers(500, '{"error":"oops"}', { 'retry-after': '0.01' })
  const { server, ask } = await setUp({}, busy, broken, says('at last'))
  expect(await ask()).toEqual([
    retrying({ attempt: 1, reason: 'openai_compatible/m answered 429: slow down' }),
    retrying({ attempt: 2, reason: 'openai_compatible/m answered 500: oops' }),
    text('at last'),
  ])
  expect(server.requests).toHaveLength(3)
})

test('waits longer each time when the server says nothing about it, and gives up in the end', async () => {
  const { server, ask } = await setUp({ limits: { first_delay_ms: 8 } }, answers(503, 'down for repairs'))
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
  })
  const parts = await collect(model)
  const message = 'nothing answers at http://127.0.0.1:1/v1/chat/completions'
  expect(parts).toEqual([failed({ kind: 'network', message, retryable: true })])
})

test('does not try again with a header that cannot be sent', async () => {
  const { server, ask } = await setUp({ headers: { 'x-bad': 'two\nlines' } }, says('hi'))
  expect(await ask()).toEqual([failed({ kind: 'input', message: expect.stringContaining('cannot be made') })])
  expect(server.requests).toHaveLength(0)
})

test('gives up on a server that says nothing, at first or from some point on', async () => {
  const mute = await setUp({ limits: { first_ms: 30 } }, goesSilent())
  const never = 'openai_compatible/m did not begin to answer within 0.03 s'
  expect((await mute.ask()).at(-1)).toEqual(failed({ kind: 'network', message: never }))
  const tired = await setUp({ limits: { progress_ms: 30 } }, goesSilent(delta({ content: 'half' })))
  const silent = 'openai_compatible/m stopped in the middle of its reply: nothing new for 0.03 s'
  expect(await tired.ask()).toEqual([text('half'), failed({ kind: 'network', message: silent })])
})

test('takes a reply whose server neither says nor shows that it is over', async () => {
  const { ask } = await setUp({}, goesSilent(delta({ content: 'whole' }, 'stop')))
  expect(await ask()).toEqual([text('whole')])
})

test('does not use a call that was cut off by the longest length, and says so', async () => {
  const piece = {
    index: 0,
    id: 'c',
    function: { name: 'create_file', arguments: '{"path":"a","text":"begin' },
  }
  const { ask } = await setUp({}, streams(delta({ tool_calls: [piece] }), delta({}, 'length')))
  expect(await ask()).toEqual([
    expect.objectContaining({ type: 'call', invalid: expect.stringContaining('longest length') }),
  ])
})

test('gives up on a line without an end, and does not ask for it again', async () => {
  const endless: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choices":[{"delta":{"content":"')
    while (!response.destroyed) {
      response.write('x'.repeat(1_000_000))
      await new Promise(setImmediate)
    }
  }
  const { server, ask } = await setUp({}, endless)
  expect(await ask()).toEqual([failed({ message: expect.stringContaining('too large') })])
  expect(server.requests).toHaveLength(1)
})

test.each([
  { when: 'waiting for the answer', answer: goesSilent(), seen: [] },
  { when: 'reading', answer: goesSilent(delta({ content: 'half' })), seen: [text('half')] },
  {
    when: 'pausing',
    answer: answers(429, '{}', { 'retry-after': '60' }),
    seen: [retrying()],
  },
])('ends without a word when it is aborted while $when', { timeout: 10_000 }, async ({ answer, seen }) => {
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

test(
  'ends at once when it is aborted as the pause begins, or before it began',
  { timeout: 10_000 },
  async () => {
    const { server, model, ask } = await setUp({}, answers(429, '{}', { 'retry-after': '60' }))
    const stop = new AbortController()
    for await (const part of model.stream(request, stop.signal)) if (part.type === 'retrying') stop.abort()
    expect(server.requests).toHaveLength(1)
    expect(await ask(AbortSignal.abort())).toEqual([])
  },
)
