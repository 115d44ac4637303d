import { expect, test } from 'vitest'
import { renderPlan } from './render-plan.ts'

test('an approved plan as the agent reads it', () => {
  const text = renderPlan({
    plan_id: 'plan_1',
    revision: 2,
    directory: '.conclave/plans/plan_1',
    plan: {
      goal: 'Rename it',
      steps: [
        { step_number: 1, action: 'Search', reason: 'to know', tools_needed: ['search_code'] },
        { step_number: 2, action: 'Change', reason: '', tools_needed: [], files: ['a', 'b'] },
        { step_number: 3, action: 'Publish', reason: '', tools_needed: [] },
      ],
      risks: [],
      prerequisites: [],
    },
    reviews: [
      { step_number: 2, decision: 'approve', edit: 'Change both', comment: 'carefully' },
      { step_number: 3, decision: 'skip' },
    ],
    additions: '  be quick\n  and kind',
  })
  expect(text)
    .toBe(`The person approved this plan (kept in .conclave/plans/plan_1). Execute it now, step by step; report each step with plan_step.

Goal: Rename it

1. Search
   why: to know
   tools: search_code
2. Change both
   files: a, b
   the person says: carefully
3. SKIPPED by the person, do not do it: Publish

Additional instructions from the person:
  be quick
  and kind`)
})
