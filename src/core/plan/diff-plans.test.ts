import { expect, test } from 'vitest'
import type { Plan, PlanStep } from '../../schema/plan.ts'
import { diffPlans } from './diff-plans.ts'

const step = (step_number: number, action: string, more: Partial<PlanStep> = {}): PlanStep => ({
  ...{ step_number, action, reason: '', tools_needed: [] },
  ...more,
})
const plan = (...steps: PlanStep[]): Plan => ({ goal: 'g', steps, risks: [], prerequisites: [] })
const [a, b, c] = [step(1, 'a'), step(2, 'b'), step(3, 'c')]

test('a plan does not differ from itself, and renumbering is no difference', () => {
  expect(diffPlans(plan(a, b), plan(a, b))).toEqual([])
  expect(diffPlans(plan(a, b, c), plan(step(1, 'a'), step(2, 'c')))).toEqual([
    { kind: 'removed', step_number: 2, text: 'b' },
  ])
})

test('added, changed and removed steps are told apart', () => {
  expect(diffPlans(plan(a), plan(a, b))).toEqual([{ kind: 'added', step_number: 2, text: 'b' }])
  expect(diffPlans(plan(a, b), plan(a, step(2, 'other')))).toEqual([
    { kind: 'changed', step_number: 2, text: 'other' },
  ])
  expect(diffPlans(plan(a), plan(step(1, 'a', { files: ['x'] })))).toEqual([
    { kind: 'changed', step_number: 1, text: 'a' },
  ])
  expect(diffPlans(plan(a, b), plan(a))).toEqual([{ kind: 'removed', step_number: 2, text: 'b' }])
})

test('the goal, the risks and what to prepare are part of a plan', () => {
  const newer = { ...plan(a), goal: 'more', risks: ['r', 's'] }
  expect(diffPlans({ ...plan(a), prerequisites: ['p'] }, newer)).toEqual([
    { kind: 'changed', text: 'goal: more' },
    { kind: 'changed', text: 'risks: r; s' },
    { kind: 'changed', text: 'prerequisites: none' },
  ])
})
