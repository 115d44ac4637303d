import { expect, test } from 'vitest'
import { describeDifference } from './difference.ts'

test('says nothing about what is the same', () => {
  expect(describeDifference({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] })).toBe('')
})

test('names the place, and shows what is around it', () => {
  const text = `${'a'.repeat(200)}\nHERE${'b'.repeat(200)}`
  const difference = describeDifference({ m: [{ t: text }] }, { m: [{ t: text.replace('HERE', 'there') }] })
  expect(difference).toBe(
    [
      'request.m[0].t differs at character 201:',
      `  recorded: …${'a'.repeat(59)}\\nHERE${'b'.repeat(56)}…`,
      `  now:      …${'a'.repeat(59)}\\nthere${'b'.repeat(55)}…`,
    ].join('\n'),
  )
})

test('shows what is missing on one side, and does not go on for ever', () => {
  expect(describeDifference({}, { a: 1 })).toBe(
    'request.a differs at character 0:\n  recorded: (nothing)\n  now:      1',
  )
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, index]))
  expect(describeDifference(many, {}).split('\n').at(-1)).toBe('… and 4 more differences')
})
