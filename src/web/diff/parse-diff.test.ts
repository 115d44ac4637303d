import { expect, test } from 'vitest'
import { parseDiff } from './parse-diff.ts'

test('removed and added lines stand side by side, with the numbers they have', () => {
  expect(parseDiff('@@ -4,3 +4,4 @@\n a\n-b\n+c\n+d\n e\n')).toEqual([
    { kind: 'place', text: '@@ -4,3 +4,4 @@' },
    {
      kind: 'same',
      left: { number: 4, text: 'a', changed: false },
      right: { number: 4, text: 'a', changed: false },
    },
    {
      kind: 'changed',
      left: { number: 5, text: 'b', changed: true },
      right: { number: 5, text: 'c', changed: true },
    },
    { kind: 'changed', left: undefined, right: { number: 6, text: 'd', changed: true } },
    {
      kind: 'same',
      left: { number: 6, text: 'e', changed: false },
      right: { number: 7, text: 'e', changed: false },
    },
  ])
})

test('the short form of our own tools is understood', () => {
  const [, row] = parseDiff('@@ line 41 @@\n-old\n+new')
  expect(row).toEqual({
    kind: 'changed',
    left: { number: 41, text: 'old', changed: true },
    right: { number: 41, text: 'new', changed: true },
  })
})

test('what was removed or added can look like a header', () => {
  const rows = parseDiff(
    '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ odd\n same\n--- a/next\n',
  )
  expect(rows.map(({ kind, left, right, text }) => [kind, left?.text, right?.text, text])).toEqual([
    ['place', undefined, undefined, '--- a/q.sql'],
    ['place', undefined, undefined, '+++ b/q.sql'],
    ['place', undefined, undefined, '@@ -1,2 +1,2 @@'],
    ['changed', '-- old comment', '++ odd', undefined],
    ['same', 'same', 'same', undefined],
    ['place', undefined, undefined, '--- a/next'],
  ])
  expect(parseDiff('@@ line 3 @@\n--- old\n+new').at(-1)).toMatchObject({
    kind: 'changed',
    left: { number: 3, text: '-- old' },
  })
})
