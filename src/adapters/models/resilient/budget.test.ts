import { expect, test } from 'vitest'
import { RetryBudget } from './budget.ts'

const limits = { budget: 10, budget_per_second: 1, budget_per_success: 0.5 }

function takeAll(budget: RetryBudget, now: number): number {
  let taken = 0
  while (budget.readyAt(now) <= now) {
    budget.take(now)
    taken++
  }
  return taken
}

test('allows ten at once, then one a second', () => {
  const budget = new RetryBudget(limits)
  expect(takeAll(budget, 0)).toBe(10)
  expect(budget.readyAt(0)).toBeGreaterThanOrEqual(1_000)
  expect(takeAll(budget, 999)).toBe(0)
  expect(takeAll(budget, 5_000)).toBe(5)
})

test('is ready when it said it would be', () => {
  const budget = new RetryBudget({ ...limits, budget_per_second: 0.3 })
  takeAll(budget, 0.1)
  expect(takeAll(budget, budget.readyAt(17.3))).toBe(1)
})

test('gives half a retry back for every success, and never more than it holds', () => {
  const budget = new RetryBudget(limits)
  takeAll(budget, 0)
  for (let success = 0; success < 6; success++) budget.earn(0)
  expect(takeAll(budget, 0)).toBe(3)
  for (let success = 0; success < 100; success++) budget.earn(0)
  expect(takeAll(budget, 1_000_000)).toBe(10)
})

test('does not mind a clock that stands still or goes back', () => {
  const budget = new RetryBudget(limits)
  expect(takeAll(budget, 1_000)).toBe(10)
  expect(takeAll(budget, 500)).toBe(0)
})
