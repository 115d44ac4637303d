import { expect, test } from 'vitest'
import { check } from './check.ts'
import { plants, withPlant } from './plants.ts'
import { simulate } from './world.ts'

/** So many seeds at most until a mistake is noticed. */
const WITHIN = 100

test.each(plants)(`noticed within ${WITHIN} seeds: $name`, { timeout: 120_000 }, async (plant) => {
  let seeds = 0
  let noticed = false
  while (!noticed && seeds < WITHIN) {
    seeds += 1
    const history = await withPlant(plant, () => simulate(seeds))
    noticed = check(history).some(({ invariant }) => invariant === plant.noticed_by)
  }
  expect(noticed, `${plant.noticed_by} did not notice it in ${seeds} seeds`).toBe(true)
})

test('a mistake is gone when it was taken out again', async () => {
  const [plant] = plants
  if (plant) await withPlant(plant, () => simulate(1))
  expect(check(await simulate(1))).toEqual([])
})
