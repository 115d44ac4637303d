import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePlayground } from './tools.test-support.ts'
import type { Playground } from './tools.test-support.ts'

let play: Playground

beforeEach(() => {
  play = makePlayground()
})

afterEach(() => {
  play.remove()
})

const search = async (input: Record<string, unknown>): Promise<string[]> => {
  const { success, output } = await play.run('search_code', input)
  expect(success, output).toBe(true)
  return output.split('\n')
}

it('finds literal text, in order, in the whole tree or a part of it', async () => {
  play.put('b.ts', 'x = f(a)\nnothing\ny = f(a)\r\n')
  play.put('a/deep.ts', 'f(a)')
  play.put('a/other.ts', 'f.a')
  expect(await search({ pattern: 'f(a)' })).toEqual([
    'a/deep.ts:1:f(a)',
    'b.ts:1:x = f(a)',
    'b.ts:3:y = f(a)',
  ])
  expect(await search({ pattern: 'f(a)', path: 'a' })).toEqual(['a/deep.ts:1:f(a)'])
  expect(await search({ pattern: 'f(a)', path: 'b.ts' })).toHaveLength(2)
  expect(await search({ pattern: 'f.a', path: path.join(play.root, 'a') })).toEqual(['a/other.ts:1:f.a'])
})

it('leaves our own records out unless they are asked for', async () => {
  play.put('src/.conclave/plans/x', 'needle')
  play.put('.conclave/plans/p/plan.md', 'needle')
  play.put('.conclave/CONTEXT.md', 'needle')
  expect(await search({ pattern: 'needle' })).toEqual([
    '.conclave/CONTEXT.md:1:needle',
    'src/.conclave/plans/x:1:needle',
  ])
  expect(await search({ pattern: 'needle', path: '.conclave/plans' })).toEqual([
    '.conclave/plans/p/plan.md:1:needle',
  ])
})

it('has regular expressions, whole words, case and globs', async () => {
  play.put('one.ts', 'word\nwords\nWORD\n')
  play.put('two.md', 'word\n')
  expect(await search({ pattern: '^w.rds?$', regex: true, path: 'one.ts' })).toHaveLength(2)
  expect(await search({ pattern: 'word', whole_word: true, path: 'one.ts' })).toEqual(['one.ts:1:word'])
  expect(await search({ pattern: 'word', ignore_case: true, path: 'one.ts' })).toHaveLength(3)
  expect(await search({ pattern: 'word', glob: '*.md' })).toEqual(['two.md:1:word'])
})

it('copes with odd names, and with patterns and globs that look like options', async () => {
  play.put('a b:1:c.txt', 'needle\n')
  play.put('-dash.txt', 'needle --files -e\n')
  play.put('new\nline.txt', 'needle\n')
  play.put('ünï.txt', 'needle\n')
  expect(await search({ pattern: 'needle' })).toEqual([
    '-dash.txt:1:needle --files -e',
    'a b:1:c.txt:1:needle',
    '"new\\nline.txt":1:needle',
    'ünï.txt:1:needle',
  ])
  expect(await search({ pattern: '--files' })).toEqual(['-dash.txt:1:needle --files -e'])
  expect(await search({ pattern: 'needle', path: '-dash.txt' })).toHaveLength(1)
  expect(await search({ pattern: 'needle', glob: '--pre=touch' })).toEqual(['no matches for "needle"'])
})

it('leaves out what is ignored, .git, links and binary files', async () => {
  play.put('.gitignore', 'ignored.txt\n')
  play.put('ignored.txt', 'needle')
  play.put('.git/config', 'needle')
  play.put('.hidden/seen.txt', 'needle')
  play.put('binary.bin', Buffer.from('needle\0needle'))
  play.put('z.txt', 'needle')
  fs.symlinkSync(`${play.root}-sibling`, path.join(play.root, 'out'))
  const lines = await search({ pattern: 'needle' })
  expect(lines).toEqual(['.hidden/seen.txt:1:needle', 'z.txt:1:needle'])
  expect(await search({ pattern: 'needle', glob: '.git/**' })).toEqual(['no matches for "needle"'])
  expect(await search({ pattern: 'canary' })).toEqual(['no matches for "canary"'])
})

it('reads on after the note that a file turned out to be binary', async () => {
  play.put('late.bin', `needle\n${'x\n'.repeat(200_000)}\0`)
  for (const name of ['a.txt', 'z.txt']) play.put(name, 'needle')
  const lines = await search({ pattern: 'needle' })
  expect(lines.filter((line) => !line.startsWith('late.bin'))).toEqual(['a.txt:1:needle', 'z.txt:1:needle'])
})

it('stops at the limit and says that there is more', async () => {
  play.put('file.txt', 'needle\n'.repeat(300))
  const lines = await search({ pattern: 'needle' })
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('… and more: stopped after 100 matches; narrow the search or raise max_results')
  expect(await search({ pattern: 'needle', max_results: 300 })).toHaveLength(300)
})

it('clips long lines', async () => {
  play.put('file.txt', `needle${'x'.repeat(1_000_000)}\n`)
  const [line = ''] = await search({ pattern: 'needle' })
  expect(line.length).toBeLessThan(500)
  expect(line).toContain('omitted end of long line')
})

it('says so when nothing was found, which is no failure', async () => {
  play.put('a/file.txt', 'text')
  expect(await search({ pattern: 'needle', path: 'a' })).toEqual(['no matches for "needle" in a'])
})

it('fails with a reason for what cannot be searched', async () => {
  const output = async (input: Record<string, unknown>): Promise<string> => {
    const result = await play.run('search_code', input)
    expect(result.success).toBe(false)
    return result.output
  }
  expect(await output({ pattern: '(', regex: true })).toContain('unclosed group')
  expect(await output({ pattern: 'a\nb' })).toContain('line by line')
  expect(await output({ pattern: '' })).toContain('empty')
  expect(await output({ pattern: 'a', path: 'nowhere' })).toContain('does not exist')
  expect(await output({ pattern: 'a', glob: '[' })).toContain('search failed')
  expect(await output({ pattern: 'a', glob: '\0' })).toContain('search failed')
  expect(await output({ pattern: 'x'.repeat(3_000_000) })).toContain('search failed')
})

it('takes a hostile expression in its stride', async () => {
  play.put('file.txt', `${'a'.repeat(5_000)}!\n`)
  expect(await search({ pattern: '(a+)+$', regex: true })).toEqual(['no matches for "(a+)+$"'])
})

it('ends when cancelled', async () => {
  play.put('file.txt', 'needle')
  const cancelled = await play.run('search_code', { pattern: 'needle' }, AbortSignal.abort())
  expect(cancelled).toEqual({ success: false, output: 'cancelled' })
  const cancel = new AbortController()
  const running = play.run('search_code', { pattern: 'needle' }, cancel.signal)
  cancel.abort()
  expect(await running).toEqual({ success: false, output: 'cancelled' })
})
