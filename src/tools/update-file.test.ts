import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Edit } from './apply-edits.ts'
import type { ToolResult } from './tool.ts'
import { makePlayground } from './tools.test-support.ts'
import type { Playground } from './tools.test-support.ts'

let play: Playground

beforeEach(() => {
  play = makePlayground()
})

afterEach(() => {
  play.remove()
})

const update = (...edits: Edit[]): Promise<ToolResult> => play.run('update_file', { path: 'file.txt', edits })

it('replaces exactly, in order, and reports a short diff', async () => {
  play.put('file.txt', 'one\ntwo\nthree\nfour\nfive\nsix\n')
  const result = await update(
    { old_text: 'three', new_text: 'THREE\nand a half' },
    { old_text: 'and a half\nfour', new_text: 'four' },
  )
  expect(play.get('file.txt')).toBe('one\ntwo\nTHREE\nfour\nfive\nsix\n')
  expect(result).toEqual({
    success: true,
    output: 'updated file.txt (+1 −1)\n@@ line 1 @@\n one\n two\n-three\n+THREE\n four\n five',
    files: [{ path: 'file.txt', change: 'modified' }],
  })
})

it('takes the texts literally', async () => {
  play.put('file.txt', 'price: $1 (a.c)\n')
  await update({ old_text: '(a.c)', new_text: "$& $1 $' \\n" })
  expect(play.get('file.txt')).toBe("price: $1 $& $1 $' \\n\n")
})

it('keeps CRLF line ends, a missing final newline, a byte order mark and the mode', async () => {
  play.put('file.txt', '\ufeffone\r\ntwo\r\nthree')
  fs.chmodSync(path.join(play.root, 'file.txt'), 0o755)
  const result = await update(
    { old_text: 'one\ntwo', new_text: '1\n2\n2.5' },
    { old_text: 'three', new_text: 'a\nb' },
  )
  expect(result.success).toBe(true)
  expect(play.get('file.txt')).toBe('\ufeff1\r\n2\r\n2.5\r\na\r\nb')
  expect(fs.statSync(path.join(play.root, 'file.txt')).mode & 0o777).toBe(0o755)
})

it('keeps each line end of a file that mixes them', async () => {
  play.put('file.txt', 'a\nb\nc\nd\r\ne\r\n')
  await update({ old_text: 'd\ne', new_text: 'D\nE' }, { old_text: 'a\nb', new_text: 'A\nB' })
  expect(play.get('file.txt')).toBe('A\nB\nc\nD\r\nE\r\n')
})

it('replaces all when asked to', async () => {
  play.put('file.txt', 'x y x y x\n')
  expect((await update({ old_text: 'x', new_text: 'xx', replace_all: true })).success).toBe(true)
  expect(play.get('file.txt')).toBe('xx y xx y xx\n')
})

it('says how often and where an ambiguous text was found, and writes nothing', async () => {
  play.put('file.txt', 'first\nsame\nb\nsame\n')
  const result = await update({ old_text: 'first', new_text: '1' }, { old_text: 'same', new_text: 'other' })
  expect(result).toEqual({
    success: false,
    output:
      'file.txt was not changed: edit 2 of 2: old_text was found 2 times, at line 2, 4; ' +
      'add lines around it until it is unique, or set replace_all',
  })
  expect(play.get('file.txt')).toBe('first\nsame\nb\nsame\n')
  play.put('file.txt', 'aaa')
  expect((await update({ old_text: 'aa', new_text: 'b' })).output).toContain('found 2 times')
})

it('shows the nearest lines when a text is not found', async () => {
  play.put('file.txt', 'import a\n\nfunction add(left, right) {\n\treturn left + right\n}\n')
  const misspelt = await update({ old_text: 'function add(left, rigth) {', new_text: 'x' })
  expect(misspelt.output).toBe(
    'file.txt was not changed: old_text was not found. The nearest lines are:\n' +
      '2\t\n3\tfunction add(left, right) {\n4\t\treturn left + right\n5\t}\n6\t',
  )
  const spaces = await update({ old_text: 'right) {\n  return left + right\n}', new_text: 'x' })
  expect(spaces.output).toContain('not found (it may differ only in white space). The nearest lines are:')
  const nothing = await update({ old_text: 'QQQQQQQQQQ', new_text: 'x' })
  expect(nothing.output).toBe('file.txt was not changed: old_text was not found; read the file again')
})

it('refuses edits that say nothing', async () => {
  play.put('file.txt', 'a\n')
  expect((await update()).output).toContain('there are no edits')
  expect((await update({ old_text: '', new_text: 'x' })).output).toContain('old_text is empty')
  expect((await update({ old_text: 'a', new_text: 'a' })).output).toContain('are the same')
  const back = await update({ old_text: 'a', new_text: 'b' }, { old_text: 'b', new_text: 'a' })
  expect(back).toEqual({ success: false, output: 'file.txt was not changed: the edits cancel each other' })
})

it('refuses a file whose bytes it would destroy, and one that is not there', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62])
  play.put('file.txt', bytes)
  expect((await update({ old_text: 'a', new_text: 'x' })).output).toContain('not valid UTF-8')
  expect(fs.readFileSync(path.join(play.root, 'file.txt'))).toEqual(bytes)
  fs.rmSync(path.join(play.root, 'file.txt'))
  expect((await update({ old_text: 'a', new_text: 'x' })).output).toContain('does not exist')
})

it('applies a patch, or says that it needs either that or edits', async () => {
  play.put('file.txt', 'one\r\ntwo\r\nthree\r\n')
  const patched = await play.run('update_file', {
    path: 'file.txt',
    patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
  })
  expect(patched.success).toBe(true)
  expect(patched.output).toContain('-two\n+2')
  expect(play.get('file.txt')).toBe('one\r\n2\r\nthree\r\n')
  expect(await play.run('update_file', { path: 'file.txt' })).toEqual({
    success: false,
    output: 'give either edits or a patch',
  })
  expect(
    (await play.run('update_file', { path: 'file.txt', patch: '@@\n-x\n+y\n', edits: [] })).success,
  ).toBe(false)
})

it('shows the exact text it replaced when white space differed', async () => {
  play.put('file.txt', 'if (a) {\n\tb()\n}\n')
  const result = await update({ old_text: 'if (a) {\n  b()\n}', new_text: 'if (a) {\n  c()\n}' })
  expect(result.output).toMatch(
    /^old_text differs in white space .* at line 1:\nif \(a\) \{\n\tb\(\)\n\}\nupdated file.txt/,
  )
  expect(play.get('file.txt')).toBe('if (a) {\n\tc()\n}\n')
})

it('refuses a file that was changed since the agent read it, until it is read again', async () => {
  play.put('file.txt', 'one\n')
  await play.run('read_file', { path: 'file.txt' })
  expect((await update({ old_text: 'one', new_text: 'two' })).success).toBe(true)
  expect((await update({ old_text: 'two', new_text: 'three' })).success).toBe(true)
  play.put('file.txt', 'three of theirs\n')
  const late = await update({ old_text: 'three', new_text: 'four' })
  expect(late).toEqual({
    success: false,
    output: 'file.txt was not changed: somebody changed it since you read it; read it again',
  })
  expect(play.get('file.txt')).toBe('three of theirs\n')
  await play.run('read_file', { path: './file.txt' })
  expect((await update({ old_text: 'three', new_text: 'four' })).success).toBe(true)
  await play.run('delete_file', { path: 'file.txt' })
  await play.run('create_file', { path: 'file.txt', content: 'new\n' })
  expect((await update({ old_text: 'new', new_text: 'newer' })).success).toBe(true)
})
