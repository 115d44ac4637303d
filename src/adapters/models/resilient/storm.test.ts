import { expect, test } from 'vitest'
import type { ModelPart } from '../../../ports/model.ts'
import { broken, collect, text, throttled, wrap } from './resilient.test-support.ts'

/** The agents of one team, each of which asks several times. */
const AGENTS = 24
const CALLS = 3

/** Deterministic chance. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Refusal = (now: number) => ModelPart | undefined

/** Takes so many requests a second, and refuses the others. */
function rateLimit(perSecond: number, retryAfter?: number): Refusal {
  let second = -1
  let taken = 0
  return (now) => {
    if (Math.floor(now / 1000) !== second) taken = 0
    second = Math.floor(now / 1000)
    return ++taken > perSecond ? throttled(retryAfter) : undefined
  }
}

const until =
  (ms: number, refusal: ModelPart): Refusal =>
  (now) =>
    now < ms ? refusal : undefined

const storms: { storm: string; refuse: () => Refusal; calls?: number }[] = [
  { storm: '2 a second, no Retry-After', refuse: () => rateLimit(2) },
  { storm: '2 a second, Retry-After 0', refuse: () => rateLimit(2, 0) },
  { storm: '2 a second, Retry-After 1', refuse: () => rateLimit(2, 1_000) },
  { storm: '5 a second, no Retry-After', refuse: () => rateLimit(5) },
  { storm: '12 a second, Retry-After 1', refuse: () => rateLimit(12, 1_000) },
  { storm: '429 for 30 s, no Retry-After', refuse: () => until(30_000, throttled()), calls: 1 },
  { storm: '429 for 30 s, Retry-After 0', refuse: () => until(30_000, throttled(0)), calls: 1 },
  { storm: '429 for 30 s, Retry-After 20', refuse: () => until(30_000, throttled(20_000)), calls: 1 },
  { storm: '500 for 10 s', refuse: () => until(10_000, broken()), calls: 1 },
  {
    storm: '503 for 10 s, Retry-After 3',
    refuse: () => until(10_000, broken({ retry_after_ms: 3_000 })),
    calls: 1,
  },
]

test.each(storms)(
  '24 agents in a storm ($storm) ask at most 3 times what they need',
  async ({ refuse, calls = CALLS }) => {
    for (const seed of [1, 2, 3]) {
      const refused = refuse()
      const asked = wrap(
        async function* () {
          await asked.clock.sleep(20)
          const refusal = refused(asked.clock.elapsed())
          if (!refusal) await asked.clock.sleep(300)
          yield refusal ?? text('yes')
        },
        {},
        { random: chance(seed) },
      )
      const agent = async () => {
        for (let call = 0; call < calls; call++)
          expect((await collect(asked.model)).at(-1)).toEqual(text('yes'))
      }
      await asked.clock.until(Promise.all(Array.from({ length: AGENTS }, agent)))
      const need = AGENTS * calls
      expect(asked.requests.length / need, `seed ${seed}`).toBeLessThanOrEqual(3)
    }
  },
)

test('24 agents that are told to come back in an hour ask once each, and nobody waits', async () => {
  const { model, clock, requests } = wrap(() => [throttled(3_600_000)])
  const replies = await clock.until(Promise.all(Array.from({ length: AGENTS }, () => collect(model))))
  for (const parts of replies)
    expect(parts.at(-1)).toMatchObject({ type: 'failed', failure: { retryable: true } })
  expect(requests).toHaveLength(AGENTS)
  expect(clock.elapsed()).toBe(0)
  // From then on one of them finds out for the others.
  await clock.until(Promise.all(Array.from({ length: AGENTS }, () => collect(model))))
  expect(requests.length).toBeLessThanOrEqual(AGENTS + 1)
})

test('retries of all agents together stay within the budget', async () => {
  const { model, clock, requests } = wrap(() => [broken()], { breaker_failures: Number.POSITIVE_INFINITY })
  await clock.until(Promise.all(Array.from({ length: AGENTS }, () => collect(model))))
  const retries = requests.slice(AGENTS)
  for (const at of retries) {
    const inTenSeconds = retries.filter((other) => other >= at && other < at + 10_000)
    expect(inTenSeconds.length).toBeLessThanOrEqual(20)
  }
  expect(retries.length).toBe(AGENTS * 3)
})
