import { expect, test } from 'vitest'
import { splitDiff } from './split-diff.ts'

const part = (names: string, hunk: string): string =>
  `diff --git ${names}\nindex 1..2 100644\n--- a\n+++ b\n${hunk}`

test('each file has its own changes, whatever its name', () => {
  const { files, rest } = splitDiff(
    part('a/one.txt b/one.txt', '@@ -1 +1 @@\n-a\n+b\n') +
      part('a/with b/space b/with b/space', '@@ -0,0 +1 @@\n+diff --git a/x b/x\n') +
      part(String.raw`"a/\303\244\n\".txt" "b/\303\244\n\".txt"`, '@@ -1 +0,0 @@\n-x\n'),
  )
  expect([...files]).toEqual([
    ['one.txt', '@@ -1 +1 @@\n-a\n+b\n'],
    ['with b/space', '@@ -0,0 +1 @@\n+diff --git a/x b/x\n'],
    ['ä\n".txt', '@@ -1 +0,0 @@\n-x\n'],
  ])
  expect(rest).toBe('')
})

test('what is not shown is said, and files without lines keep their words', () => {
  const binary = 'diff --git a/p.png b/p.png\nindex 1..2\nBinary files a/p.png and b/p.png differ\n'
  const { files, rest } = splitDiff(`${binary}new "huge.bin" (not shown)\n[cut: 12 more characters]\n`)
  expect(files.get('p.png')).toContain('Binary files')
  expect(rest).toBe('new "huge.bin" (not shown)\n[cut: 12 more characters]\n')
  expect(splitDiff('new "huge.bin" (not shown)\n').rest).toContain('huge.bin')
})
