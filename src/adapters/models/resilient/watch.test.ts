import { expect, test } from 'vitest'
import type { ModelPart } from '../../../ports/model.ts'
import { collect, host, text, wrap } from './resilient.test-support.ts'

const failed = (message: string) => ({ type: 'failed', failure: expect.objectContaining({ message }) })
const once = { attempts: 1 }
const never = () => new Promise<never>(() => undefined)

test('gives up on a model that does not begin', async () => {
  const { ask, clock } = wrap(async function* () {
    await never()
    yield text('never')
  }, once)
  expect(await ask()).toEqual([failed('test/m did not begin to answer within 120 s')])
  expect(clock.elapsed()).toBe(120_000)
})

test('gives up on a model that goes silent', async () => {
  const { ask, clock } = wrap(async function* () {
    yield text('half')
    await never()
  }, once)
  expect(await ask()).toEqual([
    text('half'),
    failed('test/m stopped in the middle of its reply: nothing new for 60 s'),
  ])
  expect(clock.elapsed()).toBe(60_000)
})

test.each<{ what: string; part: ModelPart }>([
  { what: 'empty text', part: text('') },
  { what: 'usage', part: { type: 'usage', input_tokens: 1, output_tokens: 0 } },
  { what: 'empty progress', part: { type: 'progress', size: 0 } },
])('does not take $what for progress', async ({ part }) => {
  const asked = wrap(async function* () {
    for (;;) {
      await asked.clock.sleep(10_000)
      yield part
    }
  }, once)
  expect((await asked.ask()).at(-1)).toEqual(failed('test/m did not begin to answer within 120 s'))
  expect(asked.clock.elapsed()).toBe(120_000)
})

test('is patient with a slow model that goes on', async () => {
  const asked = wrap(async function* () {
    for (let step = 0; step < 20; step++) {
      await asked.clock.sleep(50_000)
      yield step % 2 === 0 ? { type: 'progress', size: 1 } : text('x')
    }
  }, once)
  expect(await asked.ask()).toEqual(Array.from({ length: 10 }, () => text('x')))
})

test('ends a reply that goes on for ever', async () => {
  const asked = wrap(async function* () {
    for (;;) {
      await asked.clock.sleep(30_000)
      yield text('x')
    }
  })
  expect((await asked.ask()).at(-1)).toEqual(failed('test/m was not done after 1800 s'))
  expect(asked.clock.elapsed()).toBe(1_800_000)
})

test.each<{ what: string; part: ModelPart; limit: string }>([
  { what: 'text', part: text('x'.repeat(1000)), limit: '10000 characters of text' },
  {
    what: 'reasoning',
    part: { type: 'reasoning', text: 'x'.repeat(1000) },
    limit: '10000 characters of text',
  },
  { what: 'calls', part: { type: 'call', id: '1', name: 't', arguments: '{}' }, limit: '128 tool calls' },
  { what: 'unseen progress', part: { type: 'progress', size: 5000 }, limit: '50000 characters' },
])('drops a reply with too much $what', async ({ part, limit }) => {
  const asked = wrap(
    async function* () {
      for (;;) yield part
    },
    { text: 10_000, stream: 50_000 },
  )
  expect((await asked.ask()).at(-1)).toEqual(
    failed(`test/m sent more than ${limit} in one reply; the reply was dropped`),
  )
  expect(asked.requests).toHaveLength(1)
})

test('marks a call whose arguments are too long, so that the model can correct it', async () => {
  const call = { type: 'call', id: '1', name: 't', arguments: `{"a":"${'x'.repeat(100)}"}` } as const
  const { ask } = wrap(() => [call], { arguments: 50 })
  expect(await ask()).toEqual([
    { ...call, arguments: '', invalid: expect.stringContaining('at most 50 can be taken') },
  ])
})

test.each([
  { when: 'waiting for the model', parts: [] },
  { when: 'reading', parts: [text('half')] },
])('ends at once when it is aborted while $when, even if the model does not', async ({ parts }) => {
  let ended = false
  const { model } = wrap(async function* (_, signal) {
    signal.addEventListener('abort', () => (ended = true))
    yield* parts
    await never()
  })
  const stop = new AbortController()
  const asking = collect(model, stop.signal)
  await new Promise(setImmediate)
  stop.abort()
  expect(await asking).toEqual(parts)
  expect(ended).toBe(true)
})

test('tells the model to stop when nobody listens any more', async () => {
  const signals: AbortSignal[] = []
  const { model } = wrap(async function* (_, signal) {
    signals.push(signal)
    for (;;) yield text('x')
  })
  for await (const _ of model.stream(
    { system: '', messages: [], tools: [] },
    new AbortController().signal,
    host,
  ))
    break
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})
