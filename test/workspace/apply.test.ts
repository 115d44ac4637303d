import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'
import type { Applied } from '../../src/ports/workspace.ts'
import { contents, granted, scene } from './support.ts'

const read = (...parts: string[]): string => readFileSync(join(...parts), 'utf8')

test('puts new, changed and deleted files into the folder, and keeps the old bytes', async () => {
  const { folder, data, open, snapshot, apply } = scene({
    'a.txt': 'a\n',
    'gone.txt': 'g\n',
    'run.sh': 'x\n',
    flat: 'x\n',
    'shape/inner': 'x\n',
  })
  chmodSync(join(folder, 'a.txt'), 0o640)
  const workspace = await open()
  writeFiles(workspace.path, { 'a.txt': 'changed\n', 'deep/er/new.bin': '\0\x01' })
  chmodSync(join(workspace.path, 'run.sh'), 0o755)
  rmSync(join(workspace.path, 'gone.txt'))
  rmSync(join(workspace.path, 'flat'))
  writeFiles(workspace.path, { 'flat/inner': 'i\n' })
  rmSync(join(workspace.path, 'shape'), { recursive: true })
  writeFileSync(join(workspace.path, 'shape'), 's\n')
  const frozen = await snapshot(workspace)
  writeFileSync(join(workspace.path, 'a.txt'), 'after the snapshot\n')

  const applied = await apply(frozen)
  expect(applied.conflicts).toEqual([])
  expect(applied.written.map(({ path, change }) => `${change} ${path}`)).toEqual([
    'modified a.txt',
    'new deep/er/new.bin',
    'deleted flat',
    'new flat/inner',
    'deleted gone.txt',
    'modified run.sh',
    'new shape',
    'deleted shape/inner',
  ])
  expect(contents(folder)).toEqual(contents(frozen.path))
  expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o640)
  expect(statSync(join(folder, 'run.sh')).mode & 0o111).toBe(0o111)
  const blobs = openBlobStore(join(data, 'undo'))
  const before = applied.written[0]?.before ?? ''
  expect(Buffer.from((await blobs.read(before)) ?? []).toString()).toBe('a\n')
  expect(await apply(frozen)).toEqual(applied)
})

testWith(
  'git',
  'a file the user changed meanwhile is never overwritten, even where a merge would be clean',
  async () => {
    const lines = 'one\ntwo\nthree\nfour\nfive\n'
    const { folder, conflicts, open, snapshot, apply } = scene({
      'clean.txt': lines,
      'clash.txt': lines,
      binary: '\0a',
      'deleted by user': 'x\n',
      'deleted by agent': 'x\n',
      mode: 'x\n',
      same: 'x\n',
    })
    const workspace = await open()
    writeFiles(workspace.path, {
      'clean.txt': lines.replace('one', 'ONE'),
      'clash.txt': lines.replace('three', 'agent'),
      binary: '\0b',
      'deleted by user': 'agent\n',
      'new in both': 'agent\n',
      same: 'alike\n',
    })
    rmSync(join(workspace.path, 'deleted by agent'))
    chmodSync(join(workspace.path, 'mode'), 0o755)
    const frozen = await snapshot(workspace)
    writeFiles(folder, {
      'clean.txt': lines.replace('five', 'FIVE'),
      'clash.txt': lines.replace('three', 'user'),
      binary: '\0c',
      'deleted by agent': 'user\n',
      'new in both': 'user\n',
      mode: 'user\n',
      same: 'alike\n',
    })
    rmSync(join(folder, 'deleted by user'))
    const before = contents(folder)

    const applied = await apply(frozen)
    expect(contents(folder)).toEqual(before)
    expect(applied.written).toEqual([])
    const at = (side: string, path: string): string => join(conflicts, side, path)
    expect(
      applied.conflicts.map(({ path, reason, kept }) => [path, reason, Object.keys(kept ?? {})]),
    ).toEqual([
      ['binary', 'changed', ['yours', 'answer', 'base']],
      ['clash.txt', 'changed', ['yours', 'answer', 'base']],
      ['clean.txt', 'changed', ['yours', 'answer', 'base', 'merged']],
      ['deleted by agent', 'changed', ['yours', 'base']],
      ['deleted by user', 'changed', ['answer', 'base']],
      ['mode', 'changed', ['yours', 'answer', 'base', 'merged']],
      ['new in both', 'changed', ['yours', 'answer']],
    ])
    expect(applied.conflicts[2]?.kept?.merged).toBe(at('merged', 'clean.txt'))
    expect(read(at('merged', 'clean.txt'))).toBe('ONE\ntwo\nthree\nfour\nFIVE\n')
    expect(read(at('yours', 'clash.txt'))).toContain('user')
    expect(read(at('answer', 'clash.txt'))).toContain('agent')
    expect(read(at('base', 'clash.txt'))).toBe(lines)
  },
)

test('protected files, links and names that are no text are reported, never written', async () => {
  const { folder, open, snapshot, apply } = scene({ 'a.txt': 'a\n' })
  symlinkSync('a.txt', join(folder, 'old-link'))
  const workspace = await open()
  writeFiles(workspace.path, {
    'conclave.yaml': 'agents: []\n',
    '.conclave/config.yaml': 'agents: []\n',
    '.mcp.json': '{}\n',
    'home/.bashrc': 'evil\n',
  })
  symlinkSync('/etc/passwd', join(workspace.path, 'link'))
  rmSync(join(workspace.path, 'old-link'))
  writeFileSync(Buffer.from(`${workspace.path}/bad\xff`, 'latin1'), 'x')
  const applied = await apply(await snapshot(workspace))
  expect(applied.written).toEqual([])
  expect(applied.conflicts.map(({ path, reason }) => [path, reason])).toEqual([
    ['.conclave/config.yaml', 'protected'],
    ['.mcp.json', 'protected'],
    ['bad\ufffd', 'refused'],
    ['conclave.yaml', 'protected'],
    ['home/.bashrc', 'protected'],
    ['link', 'link'],
    ['old-link', 'link'],
  ])
  expect(contents(folder)).toEqual({ 'a.txt': 'a\n', 'old-link': '-> a.txt' })
})

test('5 a folder of the user that became a link is not written through', async () => {
  const elsewhere = temporaryFolder()
  const { folder, open, snapshot, apply } = scene({ 'd/a.txt': 'a\n' })
  const workspace = await open()
  writeFiles(workspace.path, { 'd/a.txt': 'changed\n', 'd/new.txt': 'n\n' })
  const frozen = await snapshot(workspace)
  rmSync(join(folder, 'd'), { recursive: true })
  writeFiles(elsewhere, { 'a.txt': 'a\n' })
  symlinkSync(elsewhere, join(folder, 'd'))
  const applied = await apply(frozen)
  expect(applied.written).toEqual([])
  expect(applied.conflicts.map(({ path, reason }) => [path, reason])).toEqual([
    ['d/a.txt', 'changed'],
    ['d/new.txt', 'refused'],
  ])
  expect(contents(elsewhere)).toEqual({ 'a.txt': 'a\n' })
})

test('16 versions in conflict are not kept through a link that the project planted', async () => {
  const elsewhere = temporaryFolder()
  const { folder, open, snapshot, workspaces } = scene({ 'a.txt': 'a\n' })
  const workspace = await open()
  writeFiles(workspace.path, { 'a.txt': 'agent\n' })
  const frozen = await snapshot(workspace)
  writeFiles(folder, { 'a.txt': 'user\n', '.conclave/x': 'x\n' })
  const logs = join(folder, '.conclave/logs')
  const conflicts = join(logs, 'run_test/conflicts')
  const apply = async (): Promise<Applied> => granted(await workspaces.apply(frozen, { folder, conflicts }))
  symlinkSync(elsewhere, logs)
  expect((await apply()).conflicts.map(({ path, kept }) => [path, kept])).toEqual([['a.txt', undefined]])
  expect(contents(elsewhere)).toEqual({})
  // Control: in a real folder they are.
  rmSync(logs)
  expect((await apply()).conflicts[0]?.kept).toMatchObject({ yours: join(conflicts, 'yours/a.txt') })
  expect(read(conflicts, 'answer/a.txt')).toBe('agent\n')
})

test('a folder with something of the user in it is not replaced by a file', async () => {
  const { folder, open, snapshot, apply } = scene({ 'd/a.txt': 'a\n' })
  const workspace = await open()
  rmSync(join(workspace.path, 'd'), { recursive: true })
  writeFileSync(join(workspace.path, 'd'), 'file\n')
  const frozen = await snapshot(workspace)
  writeFiles(folder, { 'd/mine.txt': 'mine\n' })
  const applied = await apply(frozen)
  expect(applied.conflicts.map(({ path, reason }) => [path, reason])).toEqual([['d', 'refused']])
  expect(read(folder, 'd/mine.txt')).toBe('mine\n')
})

test('only the folder of the run is written to', async () => {
  const { open, snapshot, workspaces, conflicts } = scene({ 'a.txt': 'a\n' })
  const workspace = await open()
  writeFileSync(join(workspace.path, 'a.txt'), 'b\n')
  const other = temporaryFolder()
  mkdirSync(join(other, 'x'))
  const refused = await workspaces.apply(await snapshot(workspace), { folder: other, conflicts })
  expect(refused).toEqual({ refused: expect.stringContaining('not on') })
  expect(existsSync(join(other, 'a.txt'))).toBe(false)
})
