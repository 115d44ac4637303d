import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'

test('only what changed is shown, with a little around it', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
  const rows = compareTexts(before, before.replace('line 15', 'other').replace('line 16\n', ''))
  expect(rows.filter(({ kind }) => kind === 'changed')).toEqual([
    {
      kind: 'changed',
      left: { number: 15, text: 'line 15', changed: true },
      right: { number: 15, text: 'other', changed: true },
    },
    { kind: 'changed', left: { number: 16, text: 'line 16', changed: true }, right: undefined },
  ])
  expect(rows.filter(({ kind }) => kind === 'same').map(({ left }) => left?.number)).toEqual([
    12, 13, 14, 17, 18, 19,
  ])
  expect(rows.filter(({ kind }) => kind === 'place')).toHaveLength(2)
})

test('each side put together again is what it was, where nothing was folded', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = compareTexts(before.join('\n'), after.join('\n'))
      fc.pre(rows.every(({ kind }) => kind !== 'place'))
      expect(rows.flatMap(({ left }) => (left ? [left.text] : []))).toEqual(before)
      expect(rows.flatMap(({ right }) => (right ? [right.text] : []))).toEqual(after)
    }),
  )
})

test('a new file has only a right side, and texts with nothing in common are shown whole', () => {
  expect(compareTexts('', 'x\n')).toEqual([
    { kind: 'changed', left: undefined, right: { number: 1, text: 'x', changed: true } },
  ])
  const many = (word: string): string =>
    Array.from({ length: 900 }, (_, index) => `${word}${index}`).join('\n')
  expect(compareTexts(many('a'), many('b'))).toHaveLength(900)
})
