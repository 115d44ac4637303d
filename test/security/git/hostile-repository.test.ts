import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runGit } from '../../../src/adapters/git/git.ts'
import { makeGitDir } from '../../../src/adapters/git/own-git-dir.ts'
import { viewRepository } from '../../../src/adapters/git/repository-view.ts'
import { openBlobStore } from '../../../src/adapters/undo/blob-store.ts'
import { watchFolders } from '../../../src/adapters/undo/folder-watch.ts'
import { testWith } from '../../support/needs.ts'
import { temporaryFolder } from '../../support/workbench.ts'
import { hostileRepository } from './hostile-repository.ts'

testWith('git', '9 control: plain git springs every trap we lay', () => {
  const { folder, sprung } = hostileRepository()
  const env = { PATH: process.env['PATH'], HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1', TERM: 'dumb' }
  const plain = (...args: string[]) =>
    spawnSync('git', args, { cwd: folder, env, input: 'protocol=https\nhost=example.invalid\n\n' })
  plain('status')
  plain('diff')
  plain('diff', '--no-ext-diff')
  plain('add', '-A')
  plain('commit', '-m', 'x')
  plain('commit', '--amend')
  rmSync(join(folder, 'c.mine'))
  plain('checkout', '--', 'c.mine')
  plain('ls-remote', 'ssh://example.invalid/x')
  plain('credential', 'fill')
  plain('st')
  expect(sprung()).toEqual([
    'alias',
    'clean-filter',
    'credential',
    'editor',
    'external-diff',
    'fsmonitor',
    'hook-post-index-change',
    'hook-pre-commit',
    'hook-reference-transaction',
    'included-filter',
    'smudge-filter',
    'ssh',
    'submodule-fsmonitor',
    'textconv',
  ])
})

testWith('git', '9 opening, status and diff of a hostile repository run nothing of it', async () => {
  const { folder, sprung } = hostileRepository()
  const index = readFileSync(join(folder, '.git/index'))
  sprung()
  const view = await viewRepository(folder, join(temporaryFolder(), 'view'))
  expect(view).toMatchObject({ root: folder, branch: 'main' })
  const status = await view?.status()
  const diff = await view?.diff()
  expect(sprung()).toEqual([])
  expect(readFileSync(join(folder, '.git/index'))).toEqual(index)
  expect(status?.ok && status.output.toString().split('\0')).toEqual(
    expect.arrayContaining([' M a.txt', ' M c.mine', '?? new.mine']),
  )
  expect(diff?.ok && diff.output.toString()).toContain('+three more')
})

testWith('git', '9 snapshots of a hostile repository run nothing of it', async () => {
  const { folder, sprung } = hostileRepository()
  const index = readFileSync(join(folder, '.git/index'))
  const data = temporaryFolder()
  const blobs = openBlobStore(join(data, 'undo'))
  const watch = watchFolders(join(data, 'trees'), blobs)
  sprung()
  const end = await watch.begin(folder)
  writeFileSync(join(folder, 'c.mine'), 'changed\n')
  writeFileSync(join(folder, 'd.included'), 'changed\n')
  writeFileSync(join(folder, 'b.bin'), 'changed\n')
  const { files } = await end()
  expect(sprung()).toEqual([])
  expect(files.map(({ path }) => path)).toEqual(['b.bin', 'c.mine', 'd.included'])
  expect(Buffer.from((await blobs.read(files[1]?.before ?? '')) ?? []).toString()).toBe('three more\n')
  expect(readFileSync(join(folder, '.git/index'))).toEqual(index)
})

testWith('git', '9 a pointer to another repository is not followed', async () => {
  const { folder } = hostileRepository()
  const other = temporaryFolder()
  writeFileSync(join(other, '.git'), `gitdir: ${join(folder, '.git')}\n`)
  expect(await viewRepository(other, join(temporaryFolder(), 'view'))).toBeUndefined()
})

testWith('git', '9 a linked work tree, which points back, is', async () => {
  const { git } = hostileRepository()
  const linked = join(temporaryFolder(), 'linked')
  git(
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.fsmonitor=false',
    'worktree',
    'add',
    '-q',
    linked,
    '-b',
    'side',
  )
  expect(await viewRepository(linked, join(temporaryFolder(), 'view'))).toMatchObject({ branch: 'side' })
})

testWith(
  'git',
  '9 a git that hangs or floods is ended, and an environment of ours reaches it only in part',
  async () => {
    const own = join(temporaryFolder(), 'own')
    const work_tree = temporaryFolder()
    await makeGitDir(own, { exact: true })
    const place = { git_dir: own, work_tree }
    const late = await runGit(place, ['cat-file', '--batch'], {
      timeout_ms: 1,
      input: 'x\n'.repeat(1_000_000),
    })
    expect(late).toEqual({ ok: false, problem: expect.stringContaining('took longer') })
    const flood = await runGit(place, ['cat-file', '--batch'], {
      max_bytes: 1_000,
      input: 'x\n'.repeat(1_000),
    })
    expect(flood).toEqual({ ok: false, problem: expect.stringContaining('more than 1000 bytes') })
    process.env['GIT_EXTERNAL_DIFF'] = '/bin/false'
    process.env['CONCLAVE_TEST_KEY'] = 'secret'
    try {
      const shown = await runGit(place, ['-c', 'alias.env=!env', 'env'])
      expect(shown.ok && shown.output.toString()).not.toMatch(/GIT_EXTERNAL_DIFF|secret/)
      expect(shown.ok && shown.output.toString()).toContain('GIT_CONFIG_NOSYSTEM=1')
    } finally {
      delete process.env['GIT_EXTERNAL_DIFF']
      delete process.env['CONCLAVE_TEST_KEY']
    }
  },
)
