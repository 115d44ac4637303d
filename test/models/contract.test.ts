import { describe, expect, test } from 'vitest'
import {
  callsOf,
  reasoningOf,
  setUp,
  textOf,
  toMessage,
  user,
  weather,
  wires,
} from './models.test-support.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.each(wires)('$name', (wire) => {
  test('streams text and says what was used', async () => {
    const { mock, ask } = await setUp(wire)
    mock.onMessage('hello', {
      content: 'Good morning to you.',
      usage: {
        prompt_tokens: 12,
        completion_tokens: 5,
        input_tokens: 12,
        output_tokens: 5,
        promptTokenCount: 12,
        candidatesTokenCount: 5,
      },
    })
    const parts = await ask()
    expect(textOf(parts)).toBe('Good morning to you.')
    expect(parts.find(({ type }) => type === 'usage')).toMatchObject({ input_tokens: 12, output_tokens: 5 })
    expect(parts.some(({ type }) => type === 'failed')).toBe(false)
  })

  test('gives out a tool call whole', async () => {
    const { mock, ask } = await setUp(wire)
    mock.onMessage('hello', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] })
    const [call, ...others] = callsOf(await ask({ tools: [weather] }))
    expect(call).toMatchObject({ name: 'get_weather', id: expect.stringMatching(/./) })
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: 'Oslo' })
    expect(others).toEqual([])
  })

  test('takes tool calls in parallel, and brings their results back under the right calls', async () => {
    const { mock, proxy, ask } = await setUp(wire)
    mock.on(
      { hasToolResult: false },
      {
        content: 'Let me look.',
        toolCalls: ['Oslo', 'Rome'].map((city) => ({
          name: 'get_weather',
          arguments: JSON.stringify({ city }),
        })),
      },
    )
    mock.on({ hasToolResult: true }, { content: 'Cold and warm.' })
    const first = await ask({ tools: [weather] })
    expect(callsOf(first).map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
      { city: 'Oslo' },
      { city: 'Rome' },
    ])
    const reply = toMessage(first)
    const given = reply.calls.map(({ id, name }, index) => ({
      role: 'tool' as const,
      call_id: id,
      name,
      output: `result ${index}`,
      success: index === 0,
    }))
    const second = await ask({ tools: [weather], messages: [user('hello'), reply, ...given] })
    expect(textOf(second)).toBe('Cold and warm.')
    const sent = proxy.bodies.at(-1) ?? ''
    expect(sent).toContain('result 0')
    expect(sent).toContain('result 1')
    const { messages = [] } = (mock.getLastRequest()?.body ?? {}) as { messages?: SeenMessage[] }
    const made = messages.flatMap(({ tool_calls = [] }) => tool_calls)
    const results = messages.filter(({ role }) => role === 'tool')
    expect(made.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([
      { city: 'Oslo' },
      { city: 'Rome' },
    ])
    expect(results.map((result) => result.tool_call_id)).toEqual(made.map(({ id }) => id))
  })

  test('extends the request before it: nothing of its head changes', async () => {
    const { mock, proxy, ask } = await setUp(wire)
    mock.on({}, { content: 'Fine.' })
    const messages = [user('hello')]
    const reply = toMessage(await ask({ tools: [weather], messages, cache_key: 'chat_1' }))
    await ask({ tools: [weather], messages: [...messages, reply, user('and now?')], cache_key: 'chat_1' })
    const [before, after] = [proxy.sent(0), proxy.sent(1)].map(withoutMarks)
    const { list: earlier, ...head } = split(before)
    const { list: later, ...sameHead } = split(after)
    expect(sameHead).toEqual(head)
    expect(later.slice(0, earlier.length)).toEqual(earlier)
    expect(later.length).toBeGreaterThan(earlier.length)
  })

  test('sends images', async () => {
    const { mock, proxy, ask } = await setUp(wire)
    mock.on({}, { content: 'A pixel.' })
    const message = {
      role: 'user' as const,
      text: 'what is this?',
      images: [{ media_type: 'image/png', data: PIXEL }],
    }
    expect(textOf(await ask({ messages: [message] }))).toBe('A pixel.')
    expect(proxy.bodies[0]).toContain(PIXEL)
    expect(proxy.bodies[0]).toContain('image/png')
  })

  test('asks for an answer that fits a schema', async () => {
    const { mock, proxy, ask } = await setUp(wire)
    mock.on({}, { content: '{"verdict":"complete"}' })
    const output_schema = {
      type: 'object',
      properties: { verdict: { type: 'string', enum: ['complete', 'continue'] } },
      required: ['verdict'],
      additionalProperties: false,
    }
    const parts = await ask({ output_schema })
    expect(JSON.parse(textOf(parts))).toEqual({ verdict: 'complete' })
    expect(proxy.bodies[0]).toContain('"enum":["complete","continue"]')
  })

  test.each([
    { status: 401, kind: 'credentials', retryable: undefined },
    { status: 403, kind: 'credentials', retryable: undefined },
    { status: 400, kind: 'model', retryable: false },
    { status: 404, kind: 'model', retryable: undefined },
    { status: 429, kind: 'model', retryable: true, throttled: true, retry_after_ms: 7_000 },
    { status: 500, kind: 'model', retryable: true },
    { status: 503, kind: 'model', retryable: true },
  ])(
    'reports status $status as a failure and nothing else',
    async ({ status, kind, retryable, throttled, retry_after_ms }) => {
      const { mock, proxy, ask } = await setUp(wire)
      mock.on({}, { error: { message: 'the reason given', type: 'some_error' }, status, retryAfter: 7 })
      const parts = await ask()
      expect(parts).toHaveLength(1)
      expect(parts[0]).toMatchObject({
        type: 'failed',
        failure: { kind, message: expect.stringContaining('the reason given') },
      })
      const failed = parts[0] as Extract<(typeof parts)[0], { type: 'failed' }>
      expect(failed.failure.retryable ?? false).toBe(retryable ?? false)
      expect(failed.throttled).toBe(throttled)
      expect(failed.failure.retry_after_ms).toBe(retry_after_ms)
      expect(proxy.bodies).toHaveLength(1)
    },
  )

  test('reports a server that is not there', async () => {
    const { ask } = await setUp(wire, { base_url: 'http://127.0.0.1:9/v1' })
    expect(await ask()).toEqual([
      {
        type: 'failed',
        failure: expect.objectContaining({
          kind: 'network',
          message: expect.stringContaining('nothing answers at http://127.0.0.1:9/'),
          retryable: true,
        }),
      },
    ])
  })

  test('reports a reply that breaks off', async () => {
    const { mock, ask } = await setUp(wire)
    mock.on(
      {},
      { content: 'a long answer that will never be heard to its end '.repeat(20) },
      { chunkSize: 10, truncateAfterChunks: 6 },
    )
    const parts = await ask()
    expect(parts.at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'network', retryable: true } })
  })
})

const thinkers = wires.filter(({ name }) => name !== 'OpenAI Chat Completions')

test.each(thinkers)('$name: streams reasoning apart from the answer', async (wire) => {
  const { mock, ask } = await setUp(wire, { reasoning_effort: 'low' })
  mock.on({}, { content: 'Four.', reasoning: 'Two and two.' })
  const parts = await ask()
  expect(reasoningOf(parts)).toBe('Two and two.')
  expect(textOf(parts)).toBe('Four.')
})

/** As the server understood it, whichever wire it came over. */
interface SeenMessage {
  role: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { arguments: string } }[]
}

/** Where the cache ends is not part of what is cached. */
const withoutMarks = (body: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  ) as Record<string, unknown>

function split(body: Record<string, unknown> | undefined): Record<string, unknown> & { list: unknown[] } {
  const { messages, input, contents, ...head } = body ?? {}
  return { ...head, list: (messages ?? input ?? contents) as unknown[] }
}
