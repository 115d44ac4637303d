import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testWith } from '../../test/support/needs.ts'
import { applyPatch } from './apply-patch.ts'

const text = 'one\ntwo\nthree\nfour\nfive\nsix\n'

describe('a patch', () => {
  it('is applied hunk by hunk', () => {
    const patch =
      '--- a/file\n+++ b/file\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n@@ -5,2 +5,3 @@\n five\n six\n+seven\n'
    expect(applyPatch(text, patch)).toEqual({ text: 'one\n2\nthree\nfour\nfive\nsix\nseven\n' })
  })

  it('is applied elsewhere when its lines are in one place only, and says so', () => {
    expect(applyPatch(text, '@@ -1,2 +1,2 @@\n four\n-five\n+5\n')).toEqual({
      text: 'one\ntwo\nthree\nfour\n5\nsix\n',
      notes: ['hunk 1 was applied at line 4 instead of 1'],
    })
    expect(applyPatch(text, '@@\n-six\n+6\n')).toEqual({ text: 'one\ntwo\nthree\nfour\nfive\n6\n' })
  })

  it('is refused when it fits several places and none is the named one', () => {
    const twice = 'a\nx\nb\nx\n'
    expect(applyPatch(twice, '@@ -4 +4 @@\n-x\n+y\n')).toEqual({ text: 'a\nx\nb\ny\n' })
    expect(applyPatch(twice, '@@ -1 +1 @@\n-x\n+y\n')).toEqual({
      problem: 'hunk 1 of 1: it fits 2 places, at line 2, 4; add context until only one fits',
    })
  })

  it('is refused as a whole when one hunk does not fit', () => {
    const result = applyPatch(text, '@@ -1 +1 @@\n-one\n+1\n@@ -3 +3 @@\n-thre\n+3\n')
    expect(result).toEqual({ problem: expect.stringMatching(/^hunk 2 of 2: its lines are not in the file/) })
  })

  it('never goes back before an earlier hunk', () => {
    const result = applyPatch(text, '@@ -4 +4 @@\n-four\n+4\n@@ -1 +1 @@\n-one\n+1\n')
    expect(result).toEqual({ problem: expect.stringMatching(/^hunk 2 of 2/) })
  })

  it('keeps CRLF line ends and the end of the file', () => {
    expect(applyPatch('a\r\nb\r\nc', '@@ -2,2 +2,3 @@\n b\n-c\n+C\n+d\n')).toEqual({
      text: 'a\r\nb\r\nC\r\nd',
    })
    expect(applyPatch('a\nb', '@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n')).toEqual({
      text: 'a\nb\n',
    })
    expect(applyPatch('a\nb\n', '@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n')).toEqual({
      text: 'a\nb',
    })
  })

  it('says what is wrong with it', () => {
    expect(applyPatch(text, 'one\n')).toEqual({ problem: expect.stringContaining('no hunk') })
    expect(applyPatch(text, '@@ -1 +1 @@\nwhat\n')).toEqual({
      problem: expect.stringContaining('starts with'),
    })
    expect(applyPatch(text, '@@ -1,0 +1 @@\n+zero\n')).toEqual({
      problem: expect.stringContaining('no context'),
    })
    const two = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-one\n+1\n'
    expect(applyPatch(text, two)).toEqual({ problem: expect.stringContaining('several files') })
    expect(applyPatch('', '@@ -0,0 +1 @@\n+new\n')).toEqual({ text: 'new\n' })
  })
})

testWith('git', 'a patch made by git leads to what git made it from', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-patch-'))
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '- d', '+ e', '\\ f'), { maxLength: 30 })
  const content = fc.tuple(lines, fc.boolean()).map(([all, end]) => all.join('\n') + (end ? '\n' : ''))
  try {
    fc.assert(
      fc.property(content, content, (before, after) => {
        fc.pre(before !== after)
        fs.writeFileSync(path.join(folder, 'before'), before)
        fs.writeFileSync(path.join(folder, 'after'), after)
        const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', 'before', 'after'], {
          cwd: folder,
          encoding: 'utf8',
        })
        expect(applyPatch(before, stdout)).toEqual({ text: after })
      }),
      { numRuns: 100 },
    )
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
