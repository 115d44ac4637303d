import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChanges } from '../../src/adapters/workspace/find-changes.ts'
import { copyBeneath, readBeneath } from '../../src/adapters/workspace/read-beneath.ts'
import { openBase } from '../../src/adapters/workspace/base.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'
import { RUN, contents, granted, scene } from './support.ts'

testWith(
  'git',
  'a snapshot holds the whole folder and says what is different, in files and lines',
  async () => {
    const { open, snapshot, workspaces } = scene({
      'a.txt': 'one\ntwo\nthree\n',
      'b.bin': '\0\x01',
      'gone/x.txt': 'x\n',
      'run.sh': 'x\n',
      'same.txt': 'same\n',
      'shape/inner': 'x\n',
      flat: 'x\n',
    })
    const workspace = await open()
    writeFiles(workspace.path, {
      'a.txt': 'one\n2\nthree\nfour\n',
      'b.bin': '\0\x02',
      'new dir/n\n.txt': 'n\n',
    })
    rmSync(join(workspace.path, 'gone'), { recursive: true })
    rmSync(join(workspace.path, 'shape'), { recursive: true })
    writeFileSync(join(workspace.path, 'shape'), 'a file now\n')
    rmSync(join(workspace.path, 'flat'))
    writeFiles(workspace.path, { 'flat/inner': 'a folder now\n' })
    chmodSync(join(workspace.path, 'run.sh'), 0o755)
    writeFileSync(join(workspace.path, 'same.txt'), 'same\n')
    mkdirSync(join(workspace.path, 'empty/inside'), { recursive: true })

    const frozen = await snapshot(workspace, 'agent1.1')
    expect(frozen.changes).toEqual({
      files: [
        { path: 'a.txt', change: 'modified', added: 2, removed: 1 },
        { path: 'b.bin', change: 'modified', added: null, removed: null },
        { path: 'flat', change: 'deleted', added: 0, removed: 1 },
        { path: 'flat/inner', change: 'new', added: 1, removed: 0 },
        { path: 'gone/x.txt', change: 'deleted', added: 0, removed: 1 },
        { path: 'new dir/n\n.txt', change: 'new', added: 1, removed: 0 },
        { path: 'run.sh', change: 'modified', added: 0, removed: 0 },
        { path: 'shape', change: 'new', added: 1, removed: 0 },
        { path: 'shape/inner', change: 'deleted', added: 0, removed: 1 },
      ],
      added: 5,
      removed: 4,
    })
    expect(contents(frozen.path)).toEqual(contents(workspace.path))
    expect(await workspaces.find(RUN, 'agent1.1')).toEqual(frozen)

    const diff = await workspaces.diff(frozen)
    expect(diff).toContain('-two\n+2\n three\n+four\n')
    expect(diff).toContain('old mode 100644\nnew mode 100755')
    const cut = await workspaces.diff(frozen, 200)
    expect(cut).toMatch(/\[cut: \d+ more characters, 9 files changed in all\]\n$/u)
    expect(cut.length).toBeLessThan(300)
  },
)

test('a snapshot stays as it is whatever happens in the workspace, and its label is used once', async () => {
  const { open, snapshot } = scene({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const [one, two] = [await open('one'), await open('two')]
  const frozen = await snapshot(one, 'agent1.1')
  appendFileSync(join(one.path, 'a.txt'), 'in place\n')
  appendFileSync(join(two.path, 'b.txt'), 'in place\n')
  expect(contents(frozen.path)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  expect(await snapshot(one, 'agent1.1')).toEqual(frozen)
  const next = await snapshot(one, 'agent1.2')
  expect(next.changes.files).toHaveLength(1)
  expect(contents(next.path)).toEqual({ 'a.txt': 'a\nin place\n', 'b.txt': 'b\n' })
})

test('a change is found although size and modification time were put back', async () => {
  const { open, snapshot } = scene({ 'a.txt': 'aaaa\n' })
  const workspace = await open()
  const file = join(workspace.path, 'a.txt')
  const { atime, mtime } = statSync(file)
  writeFileSync(file, 'bbbb\n')
  utimesSync(file, atime, mtime)
  expect((await snapshot(workspace)).changes.files.map(({ path }) => path)).toEqual(['a.txt'])
})

test('16 a link that an agent planted is never followed', async () => {
  const secrets = temporaryFolder()
  writeFiles(secrets, { key: 'secret\n', 'inside/key': 'secret\n' })
  const { open, snapshot, workspaces } = scene({
    'a.txt': 'a\n',
    'd/inside/key': 'mine\n',
    'pipe.txt': 'x\n',
  })
  const workspace = await open()
  rmSync(join(workspace.path, 'a.txt'))
  symlinkSync(join(secrets, 'key'), join(workspace.path, 'a.txt'))
  renameSync(join(workspace.path, 'd'), join(workspace.path, 'moved'))
  symlinkSync(secrets, join(workspace.path, 'd'))
  symlinkSync('/', join(workspace.path, 'root'))
  rmSync(join(workspace.path, 'pipe.txt'))
  expect(spawnSync('mkfifo', [join(workspace.path, 'pipe.txt')]).status).toBe(0)

  const frozen = await snapshot(workspace)
  expect(readlinkSync(join(frozen.path, 'a.txt'))).toBe(join(secrets, 'key'))
  expect(lstatSync(join(frozen.path, 'd')).isSymbolicLink()).toBe(true)
  expect(existsSync(join(frozen.path, 'pipe.txt'))).toBe(false)
  expect(JSON.stringify(contents(frozen.path))).not.toContain('secret\\n')
  expect(await workspaces.diff(frozen)).not.toMatch(/^[+-]secret$/mu)
})

test('16 a folder swapped for a link between looking and reading leads nowhere', async () => {
  const secrets = temporaryFolder()
  writeFiles(secrets, { key: 'secret\n' })
  const { open, data } = scene({ 'd/key': 'mine\n' })
  const workspace = await open()
  writeFileSync(join(workspace.path, 'd/key'), 'changed\n')
  const base = await openBase(join(data, 'workspaces', RUN, 'base'))
  if (!base) throw new Error('no base')
  const found = await findChanges(base, workspace.path, new Map(), 1_000)
  expect(found.changes.map(({ path }) => path)).toEqual(['d/key'])
  rmSync(join(workspace.path, 'd'), { recursive: true })
  symlinkSync(secrets, join(workspace.path, 'd'))
  // Control: by name it would be read.
  expect(readFileSync(join(workspace.path, 'd/key'), 'utf8')).toBe('secret\n')
  expect(await readBeneath(workspace.path, 'd/key')).toBeUndefined()
  expect(await copyBeneath(workspace.path, 'd/key', join(data, 'taken'))).toBe(false)
  expect(existsSync(join(data, 'taken'))).toBe(false)
})

testWith('git', 'hooks and repositories an agent made are left out, and said', async () => {
  const { folder, open, snapshot } = scene({ 'a.txt': 'a\n' })
  const { git } = await import('./support.ts')
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  const workspace = await open()
  writeFiles(workspace.path, {
    '.git/hooks/pre-commit': '#!/bin/sh\n',
    'sub/.git/config': '[core]\n',
    'sub/code.ts': 'x\n',
  })
  const frozen = await snapshot(workspace)
  expect(frozen.notes).toEqual(['left out: ".git/hooks/pre-commit"', 'left out: "sub/.git"'])
  expect(contents(frozen.path)).toEqual({ 'a.txt': 'a\n', 'sub/': '', 'sub/code.ts': 'x\n' })
})

testWith('git', 'a file of the beginning counts as there although the agent made Git ignore it', async () => {
  const { folder, open, snapshot } = scene({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  const { git } = await import('./support.ts')
  git(folder, 'init', '-q')
  const workspace = await open()
  writeFiles(workspace.path, { '.gitignore': 'src/\n', 'src/a.ts': 'changed\n' })
  const { changes } = await snapshot(workspace)
  expect(changes.files.map(({ path, change }) => [path, change])).toEqual([
    ['.gitignore', 'new'],
    ['src/a.ts', 'modified'],
  ])
})

test('a folder an agent locked is unknown, not deleted', async () => {
  const { open, snapshot } = scene({ 'locked/a.txt': 'a\n', 'b.txt': 'b\n' })
  const workspace = await open()
  chmodSync(join(workspace.path, 'locked'), 0)
  const frozen = await snapshot(workspace)
  chmodSync(join(workspace.path, 'locked'), 0o755)
  expect(frozen.changes.files).toEqual([])
  expect(readFileSync(join(frozen.path, 'locked/a.txt'), 'utf8')).toBe('a\n')
  // Root is not kept out, and has nothing to say.
  expect(frozen.notes).toEqual(process.getuid?.() === 0 ? [] : ['left as it was: "locked" cannot be read'])
})

test('a snapshot larger than allowed is refused', async () => {
  const { open, workspaces } = scene({ 'a.txt': 'a\n' }, { limits: { changed_bytes: 1_000 } })
  const workspace = await open()
  writeFileSync(join(workspace.path, 'huge'), 'x'.repeat(2_000))
  expect(await workspaces.snapshot(workspace, 'agent1.1')).toEqual({
    refused: expect.stringContaining('2000 bytes were changed'),
  })
})

test('a workspace takes over the snapshot of a peer, as its own files', async () => {
  const { open, snapshot, workspaces } = scene({ 'a.txt': 'a\n', 'gone/x': 'x\n', 'mine.txt': 'm\n' })
  const [one, two] = [await open('one'), await open('two')]
  writeFiles(one.path, { 'a.txt': 'by one\n', 'new/n.txt': 'n\n' })
  rmSync(join(one.path, 'gone'), { recursive: true })
  writeFiles(two.path, { 'mine.txt': 'by two\n', 'junk.txt': 'j\n' })
  const answer = await snapshot(one, 'agent1.1')
  const reset = granted(await workspaces.reset(two, answer))
  expect(reset.path).toBe(two.path)
  expect(contents(two.path)).toEqual(contents(one.path))
  expect((await snapshot(reset, 'agent2.1')).changes).toEqual(answer.changes)
  appendFileSync(join(two.path, 'a.txt'), 'more\n')
  expect(readFileSync(join(answer.path, 'a.txt'), 'utf8')).toBe('by one\n')
})
