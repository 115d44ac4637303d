import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

it('counts and shows what changed, in separate places', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const after = before.toSpliced(20, 1).toSpliced(4, 1, 'changed', 'and new')
  expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual({
    added: 2,
    removed: 2,
    text: [
      ...['@@ line 3 @@', ' line 3', ' line 4', '-line 5', '+changed', '+and new', ' line 6', ' line 7'],
      ...['@@ line 19 @@', ' line 19', ' line 20', '-line 21', ' line 22', ' line 23'],
    ].join('\n'),
  })
})

it('is short for a large change, and honest about it', () => {
  const lines = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word} ${index}`).join('\n')
  const diff = lineDiff(lines('a'), lines('b'))
  expect(diff).toMatchObject({ added: 2_000, removed: 2_000 })
  expect(diff.text.split('\n').length).toBeLessThan(70)
  expect(diff.text).toMatch(/… \d+ more changed lines$/u)
})

it('finds the fewest changes: as many as a longest common subsequence leaves over', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const common = longestCommon(a, b)
      const { added, removed } = lineDiff(a.join('\n'), b.join('\n'))
      // An empty text is one empty line.
      const extra = (list: string[]) => (list.length === 0 ? 1 : 0)
      const bothEmpty = a.length === 0 && b.length === 0
      expect(removed).toBe(bothEmpty ? 0 : a.length - common + extra(a))
      expect(added).toBe(bothEmpty ? 0 : b.length - common + extra(b))
    }),
  )
})

function longestCommon(a: string[], b: string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const row = lengths[i] ?? []
      row[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1))
    }
  }
  return at(a.length, b.length)
}
