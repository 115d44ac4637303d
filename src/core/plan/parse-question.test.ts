import { expect, test } from 'vitest'
import { parseQuestion } from './parse-question.ts'

const ask = (more: object = {}) => JSON.stringify({ type: 'question', question: 'Which?', ...more })

test('a question is read with its options, also short ones, and prose around it', () => {
  const options = [
    { label: 'A', value: 'a', description: 'the first' },
    { value: 'b' },
    { label: 'C' },
    ' d ',
    '',
    7,
  ]
  expect(
    parseQuestion(`Well: ${ask({ context: 'c', severity: 'critical', options, default: 'b' })}.`),
  ).toEqual({
    question: 'Which?',
    context: 'c',
    severity: 'critical',
    options: [
      { label: 'A', value: 'a', description: 'the first' },
      { label: 'b', value: 'b' },
      { label: 'C', value: 'C' },
      { label: 'd', value: 'd' },
    ],
    default: 'b',
  })
})

test('options are not needed: a question can be answered in words', () => {
  expect(parseQuestion(ask())).toEqual({ question: 'Which?', severity: 'minor', options: [] })
})

test('a default that is no option is left out', () => {
  expect(parseQuestion(ask({ options: ['a'], default: 'z' }))).not.toHaveProperty('default')
})

test.each([
  ['without its type', '{"question": "Which?"}'],
  ['of another type', '{"type": "plan", "question": "Which?"}'],
  ['without words', ask({ question: ' ' })],
  ['with two options of one value', ask({ options: ['a', { label: 'again', value: 'a' }] })],
  ['in plain words', 'Which one do you want, a or b?'],
])('a question %s is text', (_, text) => {
  expect(parseQuestion(text)).toBeUndefined()
})
