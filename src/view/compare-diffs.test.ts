import { expect, test } from 'vitest'
import { type CompareRow, compareDiffs } from './compare-diffs.ts'

const diff = (path: string, ...lines: string[]) =>
  [`diff --git a/${path} b/${path}`, 'index 1..2 100644', `--- a/${path}`, `+++ b/${path}`, ...lines].join(
    '\n',
  )

const drawn = (rows: CompareRow[]) =>
  rows.map((row) =>
    row.kind === 'file'
      ? `${row.path}: ${row.left} | ${row.right}`
      : row.kind === 'gap'
        ? '⋯'
        : `${row.left.sign}${row.left.text} | ${row.right.sign}${row.right.text}`,
  )

test('lines stand beside each other by where they were before', () => {
  const left = diff(
    'a.ts',
    '@@ -1,3 +1,3 @@',
    ' one',
    '-two',
    '+TWO',
    ' three',
    '@@ -9 +9 @@',
    '-nine',
    '+NINE',
  )
  const right = diff('a.ts', '@@ -2,2 +2,3 @@', ' two', '+two and a half', '+again', ' three')
  expect(drawn(compareDiffs(left, right))).toEqual([
    'a.ts: modified | modified',
    ' one |  one',
    '-two |  two',
    '+TWO | +two and a half',
    ' | +again',
    ' three |  three',
    '⋯',
    '-nine |  nine',
    '+NINE | ',
  ])
})

test('a file that only one of them touches, a new, a deleted and a binary one', () => {
  const left = [
    diff('b.ts', '@@ -0,0 +1,2 @@', '+x', '+--- y').replace('index', 'new file mode 100644\nindex'),
    'diff --git a/c.png b/c.png\nBinary files a/c.png and b/c.png differ',
  ].join('\n')
  const right = diff('a.ts', '@@ -1 +0,0 @@', '-gone').replace('index', 'deleted file mode 100644\nindex')
  expect(drawn(compareDiffs(left, right))).toEqual([
    'a.ts: same | deleted',
    ' gone | -gone',
    'b.ts: new | same',
    '+x | ',
    '+--- y | ',
    'c.png: binary | same',
  ])
})
