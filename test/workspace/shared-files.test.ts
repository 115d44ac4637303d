import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { sandboxShell } from '../../src/adapters/shell/sandbox-shell.ts'
import { ownBeforeWriting } from '../../src/adapters/workspace/own-before-writing.ts'
import { testWith } from '../support/needs.ts'
import { type Scene, contents, granted, scene } from './support.ts'

const LARGE = 'x'.repeat(50_000)
const sharing = (): Scene =>
  scene(
    { 'large.txt': LARGE, 'larger.txt': `${LARGE}${LARGE}`, 'small.txt': 's\n' },
    { limits: { copied_bytes: 110_000 } },
  )

test('where copies would cost too much the largest files are shared, read-only, and the rest is not', async () => {
  const { folder, open } = sharing()
  const [one, two] = [await open('one'), await open('two')]
  expect(one.shared_files).toBe(1)
  expect(contents(one.path)).toEqual(contents(folder))
  const inode = (...parts: string[]): number => lstatSync(join(...parts)).ino
  expect(inode(one.path, 'larger.txt')).toBe(inode(two.path, 'larger.txt'))
  expect(inode(one.path, 'larger.txt')).not.toBe(inode(folder, 'larger.txt'))
  expect(statSync(join(one.path, 'larger.txt')).mode & 0o222).toBe(0)
  for (const name of ['large.txt', 'small.txt']) expect(inode(one.path, name)).not.toBe(inode(two.path, name))
  expect(statSync(join(folder, 'larger.txt')).mode & 0o200).toBe(0o200)
})

test('replacing a shared file changes it for one agent only', async () => {
  const { folder, open, snapshot, apply } = sharing()
  const [one, two] = [await open('one'), await open('two')]
  writeFileSync(join(one.path, 'fresh'), 'replaced\n')
  renameSync(join(one.path, 'fresh'), join(one.path, 'larger.txt'))
  expect(readFileSync(join(two.path, 'larger.txt'), 'utf8')).toBe(LARGE + LARGE)
  const frozen = await snapshot(one)
  expect(frozen.changes.files.map(({ path }) => path)).toEqual(['larger.txt'])
  expect((await snapshot(two)).changes.files).toEqual([])
  expect((await apply(frozen)).written).toHaveLength(1)
  expect(readFileSync(join(folder, 'larger.txt'), 'utf8')).toBe('replaced\n')
})

test('the tools of an agent make a shared file its own before they write it', async () => {
  const { open } = sharing()
  const [one, two] = [await open('one'), await open('two')]
  const files = ownBeforeWriting(openFiles(one.path))
  const read = granted(await files.readWhole('larger.txt'))
  granted(await files.write('larger.txt', 'edited\n', { create: false, fingerprint: read.fingerprint }))
  expect(readFileSync(join(one.path, 'larger.txt'), 'utf8')).toBe('edited\n')
  expect(statSync(join(one.path, 'larger.txt')).mode & 0o200).toBe(0o200)
  expect(readFileSync(join(two.path, 'larger.txt'), 'utf8')).toBe(LARGE + LARGE)
  const stale = await ownBeforeWriting(openFiles(two.path)).write('larger.txt', 'x', {
    create: false,
    fingerprint: '1',
  })
  expect(stale).toEqual({ refused: expect.stringContaining('changed by somebody else') })
})

test('a shared file changed in place all the same is put back for everybody, and said', async () => {
  const { open, snapshot } = sharing()
  const [one, two] = [await open('one'), await open('two')]
  const file = join(one.path, 'larger.txt')
  const { atime, mtime, mode } = statSync(file)
  chmodSync(file, 0o644)
  writeFileSync(file, 'y'.repeat(100_000))
  utimesSync(file, atime, mtime)
  chmodSync(file, mode)
  // Control: the others do see it.
  expect(readFileSync(join(two.path, 'larger.txt'), 'utf8')).toContain('y')
  const frozen = await snapshot(two)
  expect(frozen.notes).toEqual([expect.stringContaining('put back: "larger.txt"')])
  expect(frozen.changes.files).toEqual([])
  for (const { path } of [one, two, frozen]) {
    expect(readFileSync(join(path, 'larger.txt'), 'utf8')).toBe(LARGE + LARGE)
  }
  expect((await snapshot(one)).notes).toEqual([])
})

testWith(
  'bwrap',
  'a command in the sandbox cannot change a shared file by accident, and can replace it',
  async () => {
    const { open } = sharing()
    const [one, two] = [await open('one'), await open('two')]
    const run = (command: string) =>
      sandboxShell().run({
        command,
        cwd: one.path,
        access: 'write',
        timeout_ms: 20_000,
        signal: new AbortController().signal,
      })
    expect(await run('echo more >> larger.txt')).toMatchObject({
      exit_code: 1,
      output: expect.stringContaining('Permission denied'),
    })
    expect(await run('sed -i s/x/z/ larger.txt && echo more >> large.txt')).toMatchObject({ exit_code: 0 })
    expect(readFileSync(join(one.path, 'larger.txt'), 'utf8')[0]).toBe('z')
    expect(contents(two.path)).toMatchObject({ 'larger.txt': LARGE + LARGE, 'large.txt': LARGE })
    appendFileSync(join(two.path, 'large.txt'), 'own')
    expect(readFileSync(join(one.path, 'large.txt'), 'utf8')).not.toContain('own')
  },
)
