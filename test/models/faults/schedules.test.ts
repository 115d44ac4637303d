import { expect, test } from 'vitest'
import { faults, refusals } from './faults.ts'
import { planFaults, runSchedule } from './schedule.ts'
import { trusting } from './trusting.ts'

const BLOCKS = 8
const SEEDS = 25
const AT_ONCE = 5

const outcomes = ['complete', 'failed', 'cancelled', 'limit']

test.each(
  Array.from({ length: BLOCKS }, (_, block) => ({ from: block * SEEDS + 1, to: (block + 1) * SEEDS })),
)(
  '28 schedules of faults $from to $to: every turn ends, nothing happens twice, the next turn works',
  { timeout: 60_000 },
  async ({ from, to }) => {
    const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const worker = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const scheduled = await runSchedule(planFaults(seed))
        const expected = { ...scheduled, next: 'complete', wrong: [], outcome: expect.toBeOneOf(outcomes) }
        expect(scheduled, `seed ${seed}`).toEqual(expected)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  },
)

test('28 there are enough kinds of faults to choose from', () => {
  expect(new Set([...faults, ...refusals].map(({ name }) => name)).size).toBeGreaterThanOrEqual(60)
})

test('28 control: a client that trusts what it gets runs calls of broken replies', async () => {
  const broken = faults.filter(({ name }) => name === 'cut after a whole call')
  expect((await runSchedule(broken, trusting)).wrong).toEqual(['effect-1'])
  expect((await runSchedule(broken)).wrong).toEqual([])
})
