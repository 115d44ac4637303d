import { expect, test } from 'vitest'
import { changeStep, emptyDraft, isTouched, reviewsOf, revisionRequest } from './plan-draft.ts'

test('only steps a person touched are reviewed', () => {
  const draft = changeStep(
    changeStep(changeStep(emptyDraft, 2, { comment: ' keep the signature ' }), 3, { skip: true }),
    1,
    { edit: '  ' },
  )
  expect(reviewsOf(draft)).toEqual([
    { step_number: 2, decision: 'approve', comment: 'keep the signature' },
    { step_number: 3, decision: 'skip' },
  ])
  expect(isTouched(draft)).toBe(true)
  expect(isTouched(changeStep(draft, 2, { comment: '' }))).toBe(true)
  expect(isTouched(changeStep(emptyDraft, 1, { edit: ' ' }))).toBe(false)
})

test('a request for another revision says everything that was written', () => {
  const draft = {
    ...changeStep(emptyDraft, 1, { edit: 'Read it all', comment: 'why?' }),
    additions: 'add a changelog',
  }
  expect(revisionRequest(draft)).toBe(
    'Revise the plan:\n- Step 1 should read: Read it all\n- Step 1: why?\n- add a changelog',
  )
})
