import { expect, test } from 'vitest'
import { check } from './check.ts'
import { mustReach, reached } from './coverage.ts'
import { simulate } from './world.ts'

const SEEDS = 300

test(
  `${SEEDS} simulated runs keep every invariant, and reach what they are to try`,
  { timeout: 120_000 },
  async () => {
    const found = new Set<string>()
    const failures: string[] = []
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const history = await simulate(seed)
      for (const name of reached(history)) found.add(name)
      for (const { invariant, problem } of check(history))
        failures.push(`${invariant}: ${problem} (npm run sim -- --seed ${seed} --trace)`)
    }
    expect(failures).toEqual([])
    expect(mustReach.filter((name) => !found.has(name))).toEqual([])
  },
)

test('the same seed gives the same history, byte for byte', async () => {
  const restarted = []
  for (const seed of [5, 31, 42, 629, 1137]) {
    const [first, second] = [await simulate(seed, { trace: true }), await simulate(seed, { trace: true })]
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
    restarted.push(first.lives > 1)
  }
  expect(new Set(restarted)).toEqual(new Set([true, false]))
})

test('another seed gives another history', async () => {
  const [first, second] = [await simulate(1), await simulate(2)]
  expect(JSON.stringify(second.stored)).not.toBe(JSON.stringify(first.stored))
})
