import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Files } from '../../ports/files.ts'
import { openCheckedFolder } from './checked-folder.ts'
import { openFiles } from './gateway.ts'
import { openHandleFolder } from './handle-folder.ts'

const CANARY = 'canary outside the root\n'
const refusal = (text: string | RegExp) => ({ refused: expect.stringMatching(text) })

const folders = process.platform === 'linux' ? { openHandleFolder, openCheckedFolder } : { openCheckedFolder }

describe.each(Object.entries(folders))('the file gateway with %s', (_name, openRoot) => {
  let base: string
  let root: string
  let outside: string
  let files: Files
  const inRoot = (name: string): string => path.join(root, name)

  beforeEach(() => {
    base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-files-')))
    root = path.join(base, 'root')
    outside = path.join(base, 'root-sibling')
    fs.mkdirSync(root)
    fs.mkdirSync(outside)
    fs.writeFileSync(path.join(outside, 'canary.txt'), CANARY)
    fs.mkdirSync(inRoot('folder'))
    fs.writeFileSync(inRoot('folder/file.txt'), 'one\ntwo\n')
    files = openFiles(root, { openRoot })
  })

  afterEach(() => {
    const untouched = fs.readFileSync(path.join(outside, 'canary.txt'), 'utf8')
    const names = fs.readdirSync(outside)
    fs.rmSync(base, { recursive: true, force: true })
    assert.equal(untouched, CANARY)
    assert.deepEqual(names, ['canary.txt'])
  })

  /** Every operation a tool can make with a path. */
  const every = async (name: string): Promise<unknown[]> => [
    await files.read(name),
    await files.readWhole(name),
    await files.stat(name),
    await files.list(name),
    await files.write(name, 'hacked', { create: true }),
    await files.write(name, 'hacked', { create: false }),
    await files.delete(name),
  ]

  it('reads, creates, replaces and deletes a file inside the root', async () => {
    expect(await files.read('folder/file.txt')).toEqual({
      path: 'folder/file.txt',
      text: 'one\ntwo\n',
      size: 8,
      first_line: 0,
      total_lines: 2,
      truncated: false,
      valid_utf8: true,
      fingerprint: expect.any(String),
    })
    expect(await files.write('a/b/new.txt', 'new', { create: true })).toEqual({
      path: 'a/b/new.txt',
      change: 'new',
    })
    expect(await files.write('a/b/new.txt', 'newer', { create: false })).toEqual({
      path: 'a/b/new.txt',
      change: 'modified',
    })
    expect(fs.readFileSync(inRoot('a/b/new.txt'), 'utf8')).toBe('newer')
    expect(await files.delete('a/b/new.txt')).toEqual({ path: 'a/b/new.txt', change: 'deleted' })
    expect(fs.readdirSync(inRoot('a/b'))).toEqual([])
  })

  it.each(['folder//file.txt', './folder/./file.txt', 'folder/file.txt/'])(
    'takes %j for the file it is',
    async (name) => {
      expect(await files.read(name)).toMatchObject({ path: 'folder/file.txt' })
    },
  )

  it('takes an absolute path inside the root, also by the name of a link to the root', async () => {
    expect(await files.read(inRoot('folder/file.txt'))).toMatchObject({ path: 'folder/file.txt' })
    fs.symlinkSync(root, path.join(base, 'link-to-root'))
    const linked = openFiles(path.join(base, 'link-to-root'), { openRoot })
    expect(linked.root).toBe(root)
    expect(await linked.read(path.join(base, 'link-to-root/folder/file.txt'))).toMatchObject({
      path: 'folder/file.txt',
    })
  })

  it('refuses every way out by name, for every operation', async () => {
    const ways = [
      '..',
      '../root-sibling/canary.txt',
      'folder/../../root-sibling/canary.txt',
      'folder/..',
      `${root}/../root-sibling/canary.txt`,
      `${root}-sibling/canary.txt`,
      path.join(outside, 'canary.txt'),
      `//${outside}/canary.txt`,
      '/etc/passwd',
      '~/canary.txt',
      '',
      'folder/file.txt\0.md',
      '../root-sibling/canary.txt\0',
      'folder/\ud800',
    ]
    for (const way of ways) {
      for (const result of await every(way)) expect(result, way).toEqual(refusal(/./))
    }
  })

  it('takes encoded and lookalike dots as plain names, which lead nowhere', async () => {
    const names = [
      '%2e%2e/root-sibling/canary.txt',
      '..%2froot-sibling',
      '\uff0e\uff0e/root-sibling/canary.txt',
    ]
    for (const name of names) {
      expect(await files.read(name), name).toEqual(refusal(/does not exist/))
      expect(await files.write(name, 'text', { create: true }), name).toMatchObject({ path: name })
      expect(fs.existsSync(inRoot(name)), name).toBe(true)
    }
  })

  it('refuses links as leaf, parent, chain and dangling, inside ones too, and says so', async () => {
    fs.symlinkSync(path.join(outside, 'canary.txt'), inRoot('leaf'))
    fs.symlinkSync(outside, inRoot('parent'))
    fs.symlinkSync('parent', inRoot('chain'))
    fs.symlinkSync(path.join(outside, 'not-there.txt'), inRoot('dangling'))
    fs.symlinkSync('folder', inRoot('inside'))
    fs.symlinkSync('itself', inRoot('itself'))
    const ways = ['leaf', 'parent/canary.txt', 'chain/canary.txt', 'dangling', 'inside/file.txt', 'itself']
    for (const way of [...ways, 'parent/new.txt', 'chain/a/b/new.txt']) {
      for (const result of await every(way)) expect(result, way).toEqual(refusal(/symbolic link/))
    }
    expect(fs.lstatSync(inRoot('leaf')).isSymbolicLink()).toBe(true)
    expect(await files.list('.')).toContainEqual({ path: 'leaf', kind: 'link', size: 0 })
  })

  it('writes a hard-linked file without changing its other name', async () => {
    fs.linkSync(path.join(outside, 'canary.txt'), inRoot('hard.txt'))
    expect(await files.read('hard.txt')).toMatchObject({ text: CANARY })
    expect(await files.write('hard.txt', 'mine', { create: false })).toMatchObject({ change: 'modified' })
    expect(fs.readFileSync(inRoot('hard.txt'), 'utf8')).toBe('mine')
  })

  it('refuses folders where a file is meant, and files where a folder is', async () => {
    expect(await files.read('folder')).toEqual(refusal(/is a folder/))
    expect(await files.delete('folder')).toEqual(refusal(/is a folder/))
    expect(await files.write('folder', 'x', { create: true })).toEqual(refusal(/is a folder/))
    expect(await files.write('.', 'x', { create: true })).toEqual(refusal(/is the working folder/))
    expect(await files.list('folder/file.txt')).toEqual(refusal(/is not a folder/))
    expect(await files.read('folder/file.txt/deeper')).toEqual(refusal(/"folder\/file.txt" is not a folder/))
    expect(await files.read('nowhere/file.txt')).toEqual(refusal(/the folder "nowhere" does not exist/))
    expect(await files.read('x'.repeat(300))).toEqual(refusal(/too long/))
  })

  it('creates only what is not there and replaces only what is', async () => {
    expect(await files.write('folder/file.txt', 'x', { create: true })).toEqual(refusal(/already exists/))
    expect(await files.write('folder/none.txt', 'x', { create: false })).toEqual(refusal(/does not exist/))
    expect(fs.readdirSync(inRoot('folder'))).toEqual(['file.txt'])
    expect(fs.readFileSync(inRoot('folder/file.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it('keeps the mode bits of a file it replaces, and leaves no temporary file', async () => {
    fs.chmodSync(inRoot('folder/file.txt'), 0o751)
    await files.write('folder/file.txt', 'x', { create: false })
    expect(fs.statSync(inRoot('folder/file.txt')).mode & 0o7777).toBe(0o751)
    expect(fs.readdirSync(inRoot('folder'))).toEqual(['file.txt'])
  })

  it('gives a new file the rights any new file gets', async () => {
    await files.write('new.txt', 'x', { create: true })
    fs.writeFileSync(inRoot('reference.txt'), 'x')
    expect(fs.statSync(inRoot('new.txt')).mode).toBe(fs.statSync(inRoot('reference.txt')).mode)
    expect(fs.statSync(inRoot('new.txt')).nlink).toBe(1)
  })

  it('refuses to write a file somebody else changed since it was read', async () => {
    const read = await files.readWhole('folder/file.txt')
    const fingerprint = 'refused' in read ? '' : read.fingerprint
    fs.writeFileSync(inRoot('folder/file.txt'), 'theirs!!')
    const late = await files.write('folder/file.txt', 'mine', { create: false, fingerprint })
    expect(late).toEqual(refusal(/changed by somebody else/))
    expect(fs.readFileSync(inRoot('folder/file.txt'), 'utf8')).toBe('theirs!!')
  })

  it('refuses protected names for writing and deleting, present or not, and still reads them', async () => {
    fs.mkdirSync(inRoot('.git/hooks'), { recursive: true })
    fs.mkdirSync(inRoot('nested/.git'), { recursive: true })
    fs.writeFileSync(inRoot('.git/config'), '[core]\n')
    const names = ['.git/config', '.git/hooks/pre-commit', '.GIT/config', 'nested/.git/config', 'other/.git']
    names.push(
      'conclave.yaml',
      '.conclave/config.yaml',
      '.mcp.json',
      'sub/.mcp.json',
      '.bashrc',
      'home/.zshenv',
    )
    names.push(inRoot('.git/config'), './/.git//config', '.git./config')
    for (const name of names) {
      expect(await files.write(name, 'x', { create: true }), name).toEqual(refusal(/is protected/))
      expect(await files.write(name, 'x', { create: false }), name).toEqual(refusal(/is protected/))
      expect(await files.delete(name), name).toEqual(refusal(/is protected/))
    }
    expect(await files.read('.git/config')).toMatchObject({ text: '[core]\n' })
    expect(fs.readdirSync(root).sort()).toEqual(['.git', 'folder', 'nested'])
  })

  it('lists folders first, then by name, with sizes, and no more than asked for', async () => {
    fs.writeFileSync(inRoot('b.txt'), '12345')
    fs.writeFileSync(inRoot('a.txt'), '')
    fs.mkdirSync(inRoot('zoo'))
    expect(await files.list('.')).toEqual([
      { path: 'folder', kind: 'folder', size: 0 },
      { path: 'zoo', kind: 'folder', size: 0 },
      { path: 'a.txt', kind: 'file', size: 0 },
      { path: 'b.txt', kind: 'file', size: 5 },
    ])
    expect(await files.list('.', 3)).toHaveLength(3)
    expect(await files.list('folder')).toEqual([{ path: 'folder/file.txt', kind: 'file', size: 8 }])
  })

  it('knows the root, files and folders by stat', async () => {
    expect(await files.stat('.')).toMatchObject({ path: '.', kind: 'folder' })
    expect(await files.stat('folder')).toMatchObject({ path: 'folder', kind: 'folder' })
    expect(await files.stat('folder/file.txt')).toEqual({
      path: 'folder/file.txt',
      kind: 'file',
      size: 8,
      fingerprint: expect.any(String),
    })
  })

  it('says so when the root is gone', async () => {
    const lost = openFiles(path.join(base, 'never-was'), { openRoot })
    expect(await lost.read('x')).toEqual(refusal(/the working folder .* does not exist/))
    expect(await lost.write('x', 'x', { create: true })).toEqual(
      refusal(/the working folder .* does not exist/),
    )
  })

  it('refuses text that is too large or is not Unicode', async () => {
    const large = 'x'.repeat(10_000_001)
    expect(await files.write('large.txt', large, { create: true })).toEqual(refusal(/10000001 bytes/))
    expect(await files.write('half.txt', 'half \ud83d pair', { create: true })).toEqual(refusal(/Unicode/))
    expect(fs.readdirSync(root)).toEqual(['folder'])
    fs.writeFileSync(inRoot('large.txt'), large)
    expect(await files.readWhole('large.txt')).toEqual(refusal(/10000001 bytes/))
  })
})
