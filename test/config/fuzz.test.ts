import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

test('2,000 generated configs and command lines are taken or refused with a place, and nothing throws', () => {
  const { inputs, accepted, refused } = fuzz(2_000)
  expect({ inputs, sum: accepted + refused }).toEqual({ inputs: 2_000, sum: 2_000 })
  expect(accepted).toBeGreaterThan(50)
  expect(refused).toBeGreaterThan(500)
}, 120_000)
