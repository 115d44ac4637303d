import { expect, test } from 'vitest'
import type { Pending } from '../schema/pending.ts'
import { answerByPolicy } from './answer-policy.ts'

const approval: Pending = {
  id: 'p',
  kind: 'tool_approval',
  call: { id: 'c', name: 'shell', input: {} },
  hash: 'h',
  reason: 'it can change anything',
  severity: 'minor',
  always: [],
}
const guidance: Pending = { id: 'p', kind: 'guidance', question: 'Which?', context: '' }
const options = [
  { label: 'A', value: 'a' },
  { label: 'B', value: 'b' },
]
const question: Pending = { id: 'p', kind: 'question', question: 'Which?', severity: 'minor', options }

test('fail answers nothing', () => {
  for (const pending of [approval, guidance, question, { ...question, default: 'b' }]) {
    expect(answerByPolicy(pending, 'fail')).toBeUndefined()
  }
})

test('default declines, unless the question itself has a default', () => {
  expect(answerByPolicy(approval, 'default')).toMatchObject({ kind: 'tool_approval', decision: 'deny' })
  expect(answerByPolicy(guidance, 'default')).toEqual({ kind: 'guidance', decision: 'stop' })
  expect(answerByPolicy(question, 'default')).toBeUndefined()
  expect(answerByPolicy({ ...question, default: 'b' }, 'default')).toEqual({ kind: 'question', value: 'b' })
})

test('approve allows exactly what was asked, and only this once', () => {
  expect(answerByPolicy(approval, 'approve')).toEqual({ kind: 'tool_approval', decision: 'once', hash: 'h' })
  expect(answerByPolicy(guidance, 'approve')).toMatchObject({
    decision: 'continue',
    text: expect.any(String),
  })
  expect(answerByPolicy(question, 'approve')).toEqual({ kind: 'question', value: 'a' })
  expect(answerByPolicy({ ...question, default: 'b' }, 'approve')).toEqual({ kind: 'question', value: 'b' })
  expect(answerByPolicy({ ...question, options: [] }, 'approve')).toBeUndefined()
})
