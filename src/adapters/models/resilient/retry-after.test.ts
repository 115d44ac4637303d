import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('2030-01-01T12:00:00Z')

test.each([
  ['0', 0],
  ['1.5', 1500],
  ['3600', 3_600_000],
  ['Tue, 01 Jan 2030 12:00:30 GMT', 30_000],
  ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['NaN', undefined],
  ['', undefined],
  ['5, 7', undefined],
  ['9'.repeat(400), undefined],
])('reads %j as %s', (given, expected) => {
  expect(readRetryAfter({ 'retry-after': given }, now)).toBe(expected)
})

test('prefers milliseconds, and nothing is nothing', () => {
  expect(readRetryAfter({ 'retry-after-ms': '250', 'retry-after': '7' }, now)).toBe(250)
  expect(readRetryAfter({}, now)).toBeUndefined()
})
