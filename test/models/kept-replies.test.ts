import { expect, test } from 'vitest'
import { googleModel } from '../../src/adapters/models/ai-sdk/google.ts'
import { openAiModel } from '../../src/adapters/models/ai-sdk/openai.ts'
import type { ModelMessage } from '../../src/ports/model.ts'
import { type Answer, answers, event, faultServer } from '../support/fault-server.ts'
import { type Wire, collect, setUp, toMessage, user, weather, wires } from './models.test-support.ts'

const wireNamed = (name: string): Wire => wires.find((wire) => wire.name === name) as Wire

const call = { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] }

const result: ModelMessage = {
  role: 'tool',
  call_id: 'ours_1',
  name: 'get_weather',
  output: 'cold',
  success: true,
}

/** Makes the server refuse what the provider would refuse. */
const strict = { reasoning_effort: 'low', headers: { 'x-aimock-strict': 'true' } }

test('Anthropic gets its signed thoughts back, in front of the call they led to', async () => {
  const { mock, proxy, ask } = await setUp(wireNamed('Anthropic Messages'), strict)
  mock.on(
    { hasToolResult: false },
    { ...call, reasoning: 'I must look.', reasoningSignature: 'signed-by-them' },
  )
  mock.on({ hasToolResult: true }, { content: 'Cold.' })
  const reply = toMessage(await ask({ tools: [weather] }))
  const second = await ask({ tools: [weather], messages: [user('hello'), reply, result] })
  expect(second.some(({ type }) => type === 'failed')).toBe(false)
  const messages = proxy.sent()['messages'] as { role: string; content: { type: string }[] }[]
  expect(messages[1]).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I must look.', signature: 'signed-by-them' },
      { type: 'tool_use' },
    ],
  })
})

test('Anthropic refuses such a request without the thoughts: the server does check', async () => {
  const { mock, ask } = await setUp(wireNamed('Anthropic Messages'), strict)
  mock.on({ hasToolResult: false }, { ...call, reasoning: 'I must look.' })
  mock.on({ hasToolResult: true }, { content: 'Cold.' })
  const { metadata: _, ...reply } = toMessage(await ask({ tools: [weather] }))
  const second = await ask({ tools: [weather], messages: [user('hello'), reply, result] })
  expect(second).toMatchObject([
    { type: 'failed', failure: { message: expect.stringContaining('thinking') } },
  ])
})

test('Anthropic is told what may be cached: tools and system, and everything up to the last message', async () => {
  const { mock, proxy, ask } = await setUp(wireNamed('Anthropic Messages'))
  mock.on({}, { content: 'Fine.' })
  await ask({
    tools: [weather],
    messages: [user('one'), { role: 'assistant', text: 'two', calls: [] }, user('three')],
  })
  const { system, messages } = proxy.sent() as { system: object[]; messages: { content: object[] }[] }
  const mark = { cache_control: { type: 'ephemeral' } }
  expect(system).toMatchObject([{ text: 'You help.', ...mark }])
  expect(messages.map(({ content }) => content.map((part) => 'cache_control' in part))).toEqual([
    [false],
    [false],
    [true],
  ])
})

test('OpenAI keeps nothing and gets its encrypted thoughts, item ids and call ids back', async () => {
  const { mock, proxy, ask } = await setUp(wireNamed('OpenAI Responses'))
  mock.on({ hasToolResult: false }, { ...call, reasoning: 'I must look.' })
  mock.on({ hasToolResult: true }, { content: 'Cold.' })
  const first = await ask({ tools: [weather], cache_key: 'chat_7' })
  const reply = toMessage(first)
  await ask({ tools: [weather], messages: [user('hello'), reply, result], cache_key: 'chat_7' })
  const { input, ...head } = proxy.sent() as { input: Record<string, unknown>[] }
  expect(head).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'chat_7',
    reasoning: { summary: 'auto' },
  })
  const [, , thoughts, made, output] = input
  expect(thoughts).toMatchObject({
    type: 'reasoning',
    encrypted_content: expect.stringMatching(/./),
    summary: [{ text: 'I must look.' }],
  })
  const theirs = first.find((part) => part.type === 'call')
  expect(made).toMatchObject({ type: 'function_call', call_id: theirs?.id })
  expect(output).toMatchObject({ type: 'function_call_output', call_id: theirs?.id })
})

test('OpenAI is asked again without summaries when it does not give them to this organisation', async () => {
  const refusal = {
    error: { message: 'Your organization must be verified to generate reasoning summaries.' },
  }
  const server = await faultServer(answers(400, JSON.stringify(refusal)), answers(500, '{}'))
  const model = openAiModel({
    provider: 'openai',
    model: 'gpt-5',
    base_url: server.url,
    api_key: 'k',
  })
  await collect(model)
  expect(server.requests.map(({ body }) => body.includes('"summary":"auto"'))).toEqual([true, false])
})

test('Gemini gets the signatures of its thoughts back with the calls they belong to', async () => {
  const parts = [
    { text: 'I must look.', thought: true },
    { functionCall: { name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'sig-1' },
    { functionCall: { name: 'get_weather', args: { city: 'Rome' } } },
  ]
  const server = await faultServer(gemini(parts), gemini([{ text: 'Cold.' }]))
  const model = googleModel({
    provider: 'gemini',
    model: 'gemini-3.8-flash',
    base_url: server.url,
    api_key: 'k',
  })
  const reply = toMessage(await collect(model, { tools: [weather] }))
  await collect(model, {
    tools: [weather],
    messages: [user('hello'), reply, result, { ...result, call_id: 'ours_2' }],
  })
  const { contents } = JSON.parse(server.requests[1]?.body ?? '') as {
    contents: { parts: Record<string, unknown>[] }[]
  }
  const made = contents[1]?.parts.filter((part) => 'functionCall' in part)
  expect(made).toMatchObject([
    { functionCall: { args: { city: 'Oslo' } }, thoughtSignature: 'sig-1' },
    { functionCall: { args: { city: 'Rome' } } },
  ])
  expect(made?.[1]).not.toHaveProperty('thoughtSignature')
})

test('what one model kept is not sent to another, and a reply that was changed goes without', async () => {
  const { mock, proxy, ask } = await setUp(wireNamed('OpenAI Responses'), { model: 'gpt-5' })
  mock.on({}, { content: 'Fine.', reasoning: 'Thinking.' })
  const reply = toMessage(await ask())
  expect(reply.metadata).toBeDefined()
  const other = { ...reply, metadata: { ...(reply.metadata as object), model: 'openai/other' } }
  await ask({ messages: [user('a'), other, user('b')] })
  expect(JSON.stringify(proxy.sent()['input'])).not.toContain('encrypted_content')
  await ask({ messages: [user('a'), { ...reply, text: 'shortened' }, user('b')] })
  expect(JSON.stringify(proxy.sent()['input'])).not.toContain('encrypted_content')
  await ask({ messages: [user('a'), reply, user('b')] })
  expect(JSON.stringify(proxy.sent()['input'])).toContain('encrypted_content')
})

function gemini(parts: object[]): Answer {
  const chunk = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  }
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(event(chunk))
  }
}
