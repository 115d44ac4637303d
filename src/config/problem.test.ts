import { expect, test } from 'vitest'
import { describeProblem } from './problem.ts'

const problem = { file: 'c.yaml', line: 2, column: 7, message: 'is wrong' }

test('points at the place', () => {
  expect(describeProblem({ ...problem, suggestion: 'did you mean y?' }, 'a: 1\nb:    x\n')).toBe(
    ['c.yaml:2:7: is wrong', '  2 | b:    x', '    |       ^', '  did you mean y?'].join('\n'),
  )
})

test('keeps the caret under its place after tabs', () => {
  const [, line, caret] = describeProblem({ ...problem, column: 3 }, 'a\n\t\tx').split('\n')
  expect([line, caret]).toEqual(['  2 | \t\tx', '    | \t\t^'])
})

test('shows only what is around the place in a long line', () => {
  const source = `x\n${'a'.repeat(5_000)}!${'b'.repeat(5_000)}`
  const [, line = '', caret = ''] = describeProblem({ ...problem, column: 5_001 }, source).split('\n')
  expect(line.length).toBeLessThan(150)
  expect(line[caret.indexOf('^')]).toBe('!')
})

test('says where even when there is no such line', () => {
  expect(describeProblem({ ...problem, line: 9 }, '')).toContain('c.yaml:9:7: is wrong')
})
