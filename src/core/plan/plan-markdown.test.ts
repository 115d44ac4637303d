import { expect, test } from 'vitest'
import { planMarkdown } from './plan-markdown.ts'

test('a plan reads as a list with a mark for how far each step has come', () => {
  const text = planMarkdown({
    plan_id: 'plan_1',
    revision: 2,
    directory: '.conclave/plans/plan_1',
    status: 'failed',
    plan: {
      goal: 'Rename it',
      steps: [
        {
          ...{ step_number: 1, action: 'Search', reason: 'to know', tools_needed: ['search_code'] },
          ...{ estimated_time: '1 min' },
        },
        { step_number: 2, action: 'Change', reason: '', tools_needed: [], files: ['a', 'b'] },
        { step_number: 3, action: 'Check', reason: '', tools_needed: [] },
      ],
      estimated_total_time: '5 min',
      risks: ['a risk'],
      prerequisites: [],
    },
    steps: [
      { step_number: 1, status: 'done', note: '12 places' },
      { step_number: 2, status: 'failed' },
      { step_number: 3, status: 'skipped' },
    ],
    approvals: [{ revision: 2, by: 'me', reviews: [], additions: 'be quick' }],
  })
  expect(text).toBe(`# Rename it

Revision 2, failed, about 5 min

## Steps

1. [x] Search
   - why: to know
   - tools: search_code
   - time: 1 min
   - note: 12 places
2. [!] Change
   - files: a, b
3. [-] Check

## Risks

- a risk

## Additional instructions

- be quick
`)
})
