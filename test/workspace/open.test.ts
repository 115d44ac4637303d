import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeEach, placeFolders } from '../../src/adapters/workspace/place-files.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'
import { RUN, contents, git, isGit, scene } from './support.ts'

testWith(
  'git',
  'a workspace holds what the folder holds now, and leaves no trace in its repository',
  async () => {
    const { folder, open } = scene({
      'committed.txt': 'one\n',
      'staged.txt': 'old\n',
      'gone.txt': 'x\n',
      'src/deep/file.ts': 'x\n',
      'run.sh': '#!/bin/sh\n',
      'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'forced.log': 'tracked although ignored\n',
      '.gitignore': '*.log\ndist/\n/secret.env\n',
      '.gitattributes': '*.bin filter=lfs\n*.txt text eol=crlf\n',
    })
    chmodSync(join(folder, 'run.sh'), 0o755)
    symlinkSync('committed.txt', join(folder, 'link'))
    symlinkSync('/nowhere/at/all', join(folder, 'dangling'))
    git(folder, 'init', '-q', '-b', 'topic/one')
    git(folder, 'add', '-f', '.')
    git(folder, 'commit', '-qm', 'first')
    writeFiles(folder, {
      'committed.txt': 'one\ntwo\n',
      'staged.txt': 'new\n',
      'with space/and\nnewline': 'odd\n',
      'untracked.txt': 'mine\n',
      'dist/out.js': 'built\n',
      'secret.env': 'KEY=1\n',
      'app.log': 'noise\n',
    })
    git(folder, 'add', 'staged.txt')
    rmSync(join(folder, 'gone.txt'))
    mkdirSync(join(folder, 'empty/inside'), { recursive: true })
    writeFileSync(Buffer.from(`${folder}/bad\xff`, 'latin1'), 'bytes')
    const before = contents(folder)

    const workspace = await open()
    expect(contents(folder)).toEqual(before)
    const left_out = ['dist', 'secret.env', 'app.log']
    const skip = (path: string): boolean => isGit(path) || left_out.includes(path)
    expect(contents(workspace.path, isGit)).toEqual(contents(folder, skip))
    expect(Object.keys(contents(workspace.path))).toContain('bad\xff')
    expect(workspace.path.startsWith(folder)).toBe(false)

    expect(git(workspace.path, 'status', '--porcelain', '-z')).toBe(
      git(folder, 'status', '--porcelain', '-z'),
    )
    expect(git(workspace.path, 'log', '--format=%s')).toBe('first\n')
    expect(git(workspace.path, 'branch', '--show-current')).toBe('topic/one\n')
    git(workspace.path, 'add', '.')
    git(workspace.path, 'commit', '-qm', 'of the agent')
    expect(contents(folder)).toEqual(before)
  },
)

testWith(
  'git',
  'submodules and repositories inside come along as plain folders, by their own rules',
  async () => {
    const library = temporaryFolder()
    writeFiles(library, { 'lib.c': 'int x;\n' })
    git(library, 'init', '-q')
    git(library, 'add', '.')
    git(library, 'commit', '-qm', 'lib')
    const { folder, open, snapshot } = scene({ 'a.txt': 'a\n' })
    git(folder, 'init', '-q')
    git(folder, 'submodule', '--quiet', 'add', library, 'vendored')
    git(folder, 'add', '.')
    git(folder, 'commit', '-qm', 'first')
    writeFiles(folder, {
      'nested/code.ts': 'x\n',
      'nested/.gitignore': 'out/\nnode_modules/\n',
      'nested/out/x': 'x\n',
      'nested/node_modules/p/index.js': 'x\n',
    })
    git(join(folder, 'nested'), 'init', '-q')

    const workspace = await open()
    const found = contents(workspace.path, (path) => path === '.git')
    expect(found).toMatchObject({ 'vendored/lib.c': 'int x;\n', 'nested/code.ts': 'x\n' })
    expect(Object.keys(found).filter((path) => isGit(path) || path.startsWith('nested/out'))).toEqual([])
    expect(readlinkSync(join(workspace.path, 'nested/node_modules'))).toBe(
      join(folder, 'nested/node_modules'),
    )

    writeFiles(workspace.path, { 'vendored/lib.c': 'int y;\n', 'nested/new.ts': 'x\n' })
    const { changes } = await snapshot(workspace)
    expect(changes.files.map(({ path, change }) => [path, change])).toEqual([
      ['nested/new.ts', 'new'],
      ['vendored/lib.c', 'modified'],
    ])
  },
)

testWith('git', 'installed dependencies are linked, not copied, and are no change', async () => {
  const { folder, open, snapshot } = scene({
    '.gitignore': 'node_modules/\nbuild/\n',
    'package.json': '{}\n',
    'node_modules/p/index.js': 'x\n',
    'packages/a/node_modules/q/index.js': 'x\n',
    'packages/a/main.js': 'x\n',
  })
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  const workspace = await open()
  expect([...workspace.linked].sort()).toEqual(['node_modules', 'packages/a/node_modules'])
  expect(readlinkSync(join(workspace.path, 'node_modules'))).toBe(join(folder, 'node_modules'))
  expect(git(workspace.path, 'status', '--porcelain')).toBe('')
  writeFiles(workspace.path, { 'build/out.js': 'built\n' })
  expect((await snapshot(workspace)).changes.files).toEqual([])
})

testWith('git', 'a folder below the top of a repository follows the rules from above it', async () => {
  const top = temporaryFolder()
  writeFiles(top, {
    '.gitignore': 'dist/\n/app/generated\n/elsewhere\n',
    'app/main.ts': 'x\n',
    'app/dist/out.js': 'x\n',
    'app/generated/x.ts': 'x\n',
    'app/elsewhere': 'stays\n',
    'outside.txt': 'x\n',
  })
  git(top, 'init', '-q')
  const { open, snapshot } = scene({}, { folder: join(top, 'app') })
  const workspace = await open()
  expect(contents(workspace.path)).toEqual({ 'main.ts': 'x\n', elsewhere: 'stays\n' })
  writeFiles(workspace.path, { 'dist/out.js': 'y\n', 'generated/x.ts': 'y\n', 'new.ts': 'y\n' })
  expect((await snapshot(workspace)).changes.files.map(({ path }) => path)).toEqual(['new.ts'])
})

test('a folder without a repository works as well, also when our own folder is inside it', async () => {
  const { folder, open } = scene({ 'a.txt': 'a\n', 'node_modules/p/x.js': 'x\n' })
  const workspace = await open()
  expect(contents(workspace.path)).toMatchObject({ 'a.txt': 'a\n' })
  expect(existsSync(join(workspace.path, '.git'))).toBe(false)

  const { openWorkspaces } = await import('../../src/adapters/workspace/workspaces.ts')
  const { openBlobStore } = await import('../../src/adapters/undo/blob-store.ts')
  const inner = openWorkspaces({
    root: join(folder, '.data/workspaces'),
    blobs: openBlobStore(join(folder, '.data/undo')),
  })
  const first = await inner.open({ run_id: RUN, agent_id: 'a', folder })
  const second = await inner.open({ run_id: 'run_other', agent_id: 'a', folder })
  expect(
    [first, second].map((each) => 'path' in each && existsSync(join(each.path, '.data/workspaces'))),
  ).toEqual([false, false])
})

test('the same key gives the same workspace; another agent has its own, from the same beginning', async () => {
  const { folder, open } = scene({ 'a.txt': 'a\n' })
  const first = await open('one')
  writeFileSync(join(first.path, 'a.txt'), 'changed by one\n')
  writeFileSync(join(folder, 'a.txt'), 'changed by the user meanwhile\n')
  const again = await open('one')
  expect(again).toEqual(first)
  expect(readFileSync(join(again.path, 'a.txt'), 'utf8')).toBe('changed by one\n')
  const other = await open('../two')
  expect(readFileSync(join(other.path, 'a.txt'), 'utf8')).toBe('a\n')
  expect(other.path.split('/agents/')[0]).toBe(first.path.split('/agents/')[0])
  expect(other.path).not.toContain('..')
})

test('refuses what is too large, what is not there, and ids that are paths', async () => {
  const few = scene({ a: '1', b: '2', c: '3' }, { limits: { files: 2 } })
  expect(await few.workspaces.open({ run_id: RUN, agent_id: 'a', folder: few.folder })).toEqual({
    refused: expect.stringContaining('more than 2 files'),
  })
  const small = scene({ a: 'x'.repeat(5_000) }, { limits: { bytes: 1_000 } })
  expect(await small.workspaces.open({ run_id: RUN, agent_id: 'a', folder: small.folder })).toEqual({
    refused: expect.stringContaining('the most is'),
  })
  const { workspaces, folder } = scene({})
  expect(await workspaces.open({ run_id: RUN, agent_id: 'a', folder: join(folder, 'no') })).toEqual({
    refused: expect.stringContaining('ENOENT'),
  })
  expect(await workspaces.open({ run_id: 'run_../../x', agent_id: 'a', folder })).toEqual({
    refused: expect.stringContaining('not the id of a run'),
  })
})

test('without GNU cp the same files are placed', async () => {
  const { folder, data, open } = scene({ 'a.txt': 'a\n', 'd/run.sh': 'x\n' })
  chmodSync(join(folder, 'd/run.sh'), 0o755)
  symlinkSync('a.txt', join(folder, 'link'))
  const workspace = await open()
  const copy = join(data, 'copy')
  await placeFolders(copy, [['d', 0o755]])
  const paths = ['a.txt', 'd/run.sh', 'link']
  expect(await placeEach(folder, copy, paths, 'copy')).toBeUndefined()
  expect(contents(copy)).toEqual(contents(workspace.path))
  expect(statSync(join(copy, 'a.txt')).mtimeMs).toBeCloseTo(statSync(join(folder, 'a.txt')).mtimeMs, 0)
  expect(await placeEach(folder, copy, paths, 'link')).toBeUndefined()
})
