import { expect, test } from 'vitest'
import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import { collect, broken, host, request, text, throttled, wrap } from './resilient.test-support.ts'

const failed = (failure: object) => ({ type: 'failed', failure: expect.objectContaining(failure) })
const retrying = (fields: object = {}) => expect.objectContaining({ type: 'retrying', ...fields })

test('lets a reply through as it is', async () => {
  const parts: ModelPart[] = [
    { type: 'reasoning', text: 'hm' },
    text('yes'),
    { type: 'call', id: '1', name: 't', arguments: '{}' },
    { type: 'metadata', data: { a: 1 } },
    { type: 'usage', input_tokens: 1, output_tokens: 2 },
  ]
  expect(await wrap(() => parts).ask()).toEqual(parts)
})

test('tries again after a failure, later each time, and gives up in the end', async () => {
  const { ask, requests } = wrap(() => [broken()])
  const tries = [1, 2, 3].map((attempt) => retrying({ attempt, reason: 'it broke' }))
  expect(await ask()).toEqual([...tries, failed({ message: 'it broke' })])
  expect(requests).toEqual([0, 500, 1500, 3500])
})

test('does not try again what will not get better', async () => {
  const { ask, requests } = wrap(() => [broken({ kind: 'credentials', retryable: false })])
  expect(await ask()).toEqual([failed({ kind: 'credentials' })])
  expect(requests).toHaveLength(1)
})

test.each([
  { what: 'text', parts: [text('half')] },
  { what: 'a call', parts: [{ type: 'call', id: '1', name: 't', arguments: '{}' } as const] },
])('fails as a whole once $what was shown', async ({ parts }) => {
  const { ask, requests } = wrap(() => [...parts, broken()])
  expect(await ask()).toEqual([...parts, failed({ message: 'it broke' })])
  expect(requests).toHaveLength(1)
})

test('tries again after reasoning and unseen progress, which are no reply yet', async () => {
  const early: ModelPart[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'progress', size: 10 },
  ]
  const { ask } = wrap((_, __, count) => (count === 1 ? [...early, broken()] : [text('yes')]))
  expect(await ask()).toEqual([early[0], retrying(), text('yes')])
})

test('takes a reply without text or calls for a failure', async () => {
  const { ask, requests } = wrap(() => [{ type: 'usage', input_tokens: 1, output_tokens: 0 }])
  expect((await ask()).at(-1)).toEqual(failed({ message: 'test/m sent an empty reply' }))
  expect(requests).toHaveLength(4)
})

test('waits as long as the provider asks, and not a moment less', async () => {
  for (const random of [() => 0, () => 0.999]) {
    const script = (_: ModelRequest, __: AbortSignal, count: number) =>
      count === 1 ? [throttled(7_000)] : [text('yes')]
    const { ask, requests } = wrap(script, {}, { random })
    await ask()
    expect(requests[1]).toBeGreaterThanOrEqual(7_000)
    expect(requests[1]).toBeLessThanOrEqual(7_700)
  }
})

test('does not believe "now" twice', async () => {
  const { ask, requests } = wrap(() => [throttled(0)])
  await ask()
  expect(requests.slice(0, 4)).toEqual([0, 250, 1250, 3250])
})

test('says at once when to come back if that is too far away', async () => {
  const { ask, requests } = wrap(() => [throttled(3_600_000)])
  const hint = expect.stringContaining('60 minutes: send the message again after 2030-01-01 13:00 UTC')
  expect(await ask()).toEqual([failed({ message: 'asked too often', hint })])
  expect(requests).toEqual([0])
})

test('has more patience with a provider that is only asked too often', async () => {
  const { ask, requests, clock } = wrap(() => [throttled()])
  expect((await ask()).at(-1)).toEqual(failed({ message: 'asked too often' }))
  expect(requests).toHaveLength(8)
  expect(clock.elapsed()).toBeGreaterThan(60_000)
})

test('pauses of one call end with its patience', async () => {
  const { ask, clock } = wrap(() => [throttled(50_000)], { patience_ms: 120_000 })
  expect((await ask()).at(-1)).toEqual(failed({ hint: expect.stringContaining('it asks to wait 50 s') }))
  expect(clock.elapsed()).toBeLessThanOrEqual(120_000)
})

test('asks the fallback, says so, and keeps the provider’s own data to itself', async () => {
  const heard: ModelRequest[] = []
  const fallback: Model = {
    label: 'other/m',
    async *stream(request) {
      heard.push(request)
      yield { type: 'metadata', data: 'theirs' }
      yield text('from the other')
    },
  }
  const { model, clock } = wrap(() => [broken()], { attempts: 2 }, { fallback })
  const messages = [{ role: 'assistant' as const, text: 'a', calls: [], metadata: 'ours' }]
  const parts: ModelPart[] = []
  await clock.until(
    (async () => {
      for await (const part of model.stream({ ...request, messages }, new AbortController().signal, host))
        parts.push(part)
    })(),
  )
  expect(parts).toEqual([
    retrying(),
    retrying({ reason: 'it broke; asking other/m instead', delay_ms: 0 }),
    text('from the other'),
  ])
  expect(heard).toEqual([{ ...request, messages: [{ role: 'assistant', text: 'a', calls: [] }] }])
})

test('has no time for a provider that asks to wait when there is a fallback', async () => {
  const fallback: Model = {
    label: 'other/m',
    stream: async function* () {
      yield text('b')
    },
  }
  const { ask, clock } = wrap(() => [throttled(30_000)], {}, { fallback })
  expect(await ask()).toEqual([retrying({ reason: expect.stringContaining('other/m') }), text('b')])
  expect(clock.elapsed()).toBe(0)
})

test('does not ask the fallback about a bad key, or after half a reply', async () => {
  const fallback: Model = {
    label: 'other/m',
    stream: async function* () {
      yield text('b')
    },
  }
  const wrongKey = wrap(() => [broken({ kind: 'credentials', retryable: false })], {}, { fallback })
  expect(await wrongKey.ask()).toEqual([failed({ kind: 'credentials' })])
  const half = wrap(() => [text('a'), broken()], {}, { fallback })
  expect(await half.ask()).toEqual([text('a'), failed({})])
})

test('stops asking after failures one after another, and lets one call find out', async () => {
  let down = true
  const { model, requests, clock } = wrap(() => (down ? [broken()] : [text('yes')]), { attempts: 9 })
  const calls = Promise.all(Array.from({ length: 6 }, () => collect(model)))
  await clock.until(clock.sleep(1_000))
  // Six came at once; the fifth failure closed the gate.
  expect(requests).toHaveLength(6)
  await clock.until(clock.sleep(3_000))
  expect(requests).toHaveLength(7)
  down = false
  const replies = await clock.until(calls)
  expect(replies.map((parts) => parts.at(-1))).toEqual(Array.from({ length: 6 }, () => text('yes')))
  expect(requests).toHaveLength(13)
})

test('a dead provider is found dead once for everybody', async () => {
  const { model, requests, clock } = wrap(() => [broken()])
  const replies = await clock.until(Promise.all(Array.from({ length: 24 }, () => collect(model))))
  for (const parts of replies) expect(parts.at(-1)).toEqual(failed({ message: 'it broke' }))
  expect(requests).toHaveLength(27)
})

test('a cancelled probe leaves the way to the next', async () => {
  let count = 0
  const { model, clock } = wrap(async function* () {
    count++
    if (count === 1) yield throttled(1_000)
    else if (count === 2) await new Promise(() => undefined)
    else yield text('yes')
  })
  const stop = new AbortController()
  const first = collect(model, stop.signal)
  await clock.until(clock.sleep(500))
  const second = collect(model)
  await clock.until(clock.sleep(5_000))
  expect(count).toBe(2)
  stop.abort()
  await first
  expect((await clock.until(second)).at(-1)).toEqual(text('yes'))
})
