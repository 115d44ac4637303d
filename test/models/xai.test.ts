import { expect, test } from 'vitest'
import { xaiModel } from '../../src/adapters/models/ai-sdk/xai.ts'
import { type Answer, type FaultServer, answers, delta, event, faultServer } from '../support/fault-server.ts'
import { callsOf, collect, reasoningOf, textOf, toMessage, user, weather } from './models.test-support.ts'

const usage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 37,
}

/** A whole reply of xAI's Responses API: each item at once and then as done. */
const responds =
  (...output: object[]): Answer =>
  (response) => {
    const envelope = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'grok-4.5',
      status: 'completed',
    }
    const items = output.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        item: 'content' in item ? { ...item, content: [] } : item,
        output_index,
      },
      ...textsOf(item).map((text) => ({
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index,
        content_index: 0,
        delta: text,
      })),
      { type: 'response.output_item.done', item, output_index },
    ])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      [
        { type: 'response.created', response: { ...envelope, output: [], usage: null } },
        ...items,
        { type: 'response.completed', response: { ...envelope, output, usage } },
      ]
        .map(event)
        .join(''),
    )
  }

const textsOf = (item: object): string[] =>
  ((item as { content?: { text: string }[] }).content ?? []).map(({ text }) => text)

const says = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
})

const calls = (id: string, city: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
  status: 'completed',
})

const thinks = (text: string) => ({
  type: 'reasoning',
  id: 'rs_1',
  status: 'completed',
  summary: [{ type: 'summary_text', text }],
  encrypted_content: 'sealed-thoughts',
})

const open = (server: FaultServer, api?: 'chat') =>
  xaiModel({ provider: 'xai', model: 'grok-4.5', base_url: server.url, api_key: 'sk-x', api })

test('streams text, and says what was used and what of it was cached', async () => {
  const server = await faultServer(responds(says('Hello.')))
  const parts = await collect(open(server), { cache_key: 'chat_1' })
  expect(textOf(parts)).toBe('Hello.')
  expect(parts.find(({ type }) => type === 'usage')).toEqual({
    type: 'usage',
    input_tokens: 30,
    output_tokens: 7,
    cached_tokens: 10,
  })
  const [received] = server.requests
  expect(received?.path).toBe('/v1/responses')
  expect(received?.headers).toMatchObject({ authorization: 'Bearer sk-x', 'x-grok-conv-id': 'chat_1' })
})

test('takes parallel calls with thoughts, and sends thoughts, calls and results back as they were', async () => {
  const server = await faultServer(
    responds(thinks('Two cities.'), calls('1', 'Oslo'), calls('2', 'Rome')),
    responds(says('ok')),
  )
  const model = open(server)
  const first = await collect(model, { tools: [weather] })
  expect(callsOf(first).map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
    { city: 'Oslo' },
    { city: 'Rome' },
  ])
  const reply = toMessage(first)
  const results = reply.calls.map(({ id, name }) => ({
    role: 'tool' as const,
    call_id: id,
    name,
    output: `from ${id}`,
    success: true,
  }))
  await collect(model, { tools: [weather], messages: [user('hello'), reply, ...results] })
  const { input, store, include } = JSON.parse(server.requests[1]?.body ?? '') as Record<string, unknown>
  expect({ store, include }).toEqual({ store: false, include: ['reasoning.encrypted_content'] })
  expect(input).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { type: 'reasoning', encrypted_content: 'sealed-thoughts' },
    { type: 'function_call', call_id: 'call_1' },
    { type: 'function_call', call_id: 'call_2' },
    { type: 'function_call_output', call_id: 'call_1', output: 'from ours_1' },
    { type: 'function_call_output', call_id: 'call_2', output: 'from ours_2' },
  ])
})

test('Chat Completions on request: reasoning, text, calls, images and a schema', async () => {
  const tool_calls = [
    { index: 0, id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
  ]
  const chunk = (fields: object, finish: string | null = null) => ({
    id: 'x',
    created: 1,
    model: 'grok-4.5',
    ...delta(fields, finish),
  })
  const server = await faultServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunks = [
      chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
      chunk({ role: 'assistant', content: 'Looking.' }),
      chunk({ role: 'assistant', tool_calls }),
      chunk({}, 'tool_calls'),
    ]
    response.end(`${chunks.map(event).join('')}data: [DONE]\n\n`)
  })
  const parts = await collect(open(server, 'chat'), {
    tools: [weather],
    messages: [{ role: 'user', text: 'see', images: [{ media_type: 'image/png', data: 'AAAA' }] }],
    output_schema: { type: 'object', properties: { a: { type: 'string' } } },
  })
  expect([reasoningOf(parts), textOf(parts)]).toEqual(['Hm.', 'Looking.'])
  expect(callsOf(parts)).toMatchObject([{ id: 'c1', arguments: '{"city":"Oslo"}' }])
  const [received] = server.requests
  expect(received?.path).toBe('/v1/chat/completions')
  expect(received?.body).toContain('data:image/png;base64,AAAA')
  expect(received?.body).toContain('"json_schema"')
})

test.each([
  { status: 401, failure: { kind: 'credentials' } },
  { status: 429, failure: { kind: 'model', retryable: true, retry_after_ms: 3_000 } },
  { status: 500, failure: { kind: 'model', retryable: true } },
])('reports status $status', async ({ status, failure }) => {
  const server = await faultServer(
    answers(status, '{"code":"x","error":"not today"}', status === 429 ? { 'retry-after': '3' } : {}),
  )
  expect(await collect(open(server))).toMatchObject([
    { type: 'failed', failure: { ...failure, message: expect.stringContaining('not today') } },
  ])
})
