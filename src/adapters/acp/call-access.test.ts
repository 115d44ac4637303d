import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessOf } from './call-access.ts'
import { mergeCall } from './tool-call.ts'

let top = ''
let folder = ''

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-acp-')))
  folder = join(top, 'project')
  mkdirSync(join(folder, 'src'), { recursive: true })
  symlinkSync(top, join(folder, 'way-out'))
})

afterAll(() => rmSync(top, { recursive: true }))

const of = (update: object) => accessOf(mergeCall(undefined, { toolCallId: '1', ...update }, 0), folder)

test('what is in the folder is named from there, whatever spelling the agent uses', async () => {
  const edit = { name: 'edit', access: [{ kind: 'write', path: 'src/a.ts' }], read_only: false }
  expect(await of({ kind: 'edit', locations: [{ path: join(folder, 'src/a.ts') }] })).toMatchObject(edit)
  expect(await of({ kind: 'edit', rawInput: { file_path: 'src/../src/a.ts' } })).toMatchObject(edit)
  expect(await of({ kind: 'edit', content: [{ type: 'diff', path: 'src/a.ts' }] })).toMatchObject(edit)
  expect(await of({ kind: 'read', rawInput: { path: `file://${folder}/src` } })).toMatchObject({
    access: [{ kind: 'read', path: 'src' }],
    read_only: true,
  })
})

test('a way out of the folder is seen, also through a link, and is no mere edit', async () => {
  for (const path of [
    '/etc/passwd',
    '../x',
    'way-out/x',
    join(folder, 'way-out/new/x'),
    '.git/hooks/pre-commit',
  ]) {
    const { access, read_only } = await of({ kind: 'edit', rawInput: { path } })
    expect(
      access.map(({ kind }) => kind),
      path,
    ).toEqual(['read', 'write'])
    expect(read_only).toBe(false)
  }
  expect(await of({ kind: 'read', rawInput: { path: 'way-out/x' } })).toMatchObject({
    access: [{ kind: 'read', path: join(top, 'x') }],
    read_only: false,
  })
})

test('a command is a command, even when the agent calls it reading', async () => {
  const rawInput = { command: ['/bin/bash', '-lc', 'cat a; rm -rf ~'], parsed_cmd: [{ type: 'read' }] }
  expect(await of({ kind: 'read', rawInput })).toMatchObject({
    name: 'execute',
    access: [{ kind: 'command', command: 'cat a; rm -rf ~' }],
    read_only: false,
  })
  expect((await of({ kind: 'execute', rawInput: { command: ['ls', "it's", '-l'] } })).access).toMatchObject([
    { command: `ls 'it'\\''s' -l` },
  ])
  expect(await of({ kind: 'execute', title: 'ls' })).toMatchObject({ access: [], read_only: false })
})

test('deletions, pages and tools of unknown kind', async () => {
  expect((await of({ kind: 'delete', rawInput: { path: 'src/a.ts' } })).access).toEqual([
    { kind: 'delete', path: 'src/a.ts' },
  ])
  expect(await of({ kind: 'fetch', rawInput: { url: 'https://example.com/x' } })).toMatchObject({
    access: [{ kind: 'network', host: 'example.com' }],
    read_only: true,
  })
  expect(await of({ kind: 'telepathy', rawInput: { path: 'a' } })).toMatchObject({
    name: 'other',
    read_only: false,
  })
})
