import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFiles } from '../../../src/adapters/files/gateway.ts'
import type { FileGrants } from '../../../src/adapters/files/grants.ts'
import { temporaryFolder, writeFiles } from '../../support/workbench.ts'
import { CANARY, fileTools, makeScene, untouched, writingTools } from './file-tools.ts'

function open(grants: Omit<FileGrants, 'root'>, files: Record<string, string> = {}) {
  const base = temporaryFolder()
  const root = join(base, 'root')
  mkdirSync(root)
  writeFiles(base, files)
  return { base, root, files: openFiles({ root, ...grants }) }
}

const readable = { text: expect.any(String) }
const refused = (why: RegExp) => ({ refused: expect.stringMatching(why) })

describe('5 the narrowest grant decides', () => {
  it('a writable path in a read-only one, and the reverse, at any depth', async () => {
    const { files } = open(
      {
        permission: 'read',
        paths: [
          { path: 'a', permission: 'write' },
          { path: 'a/b', permission: 'read' },
          { path: 'a/b/c', permission: 'write' },
        ],
      },
      { 'root/x': 'x', 'root/a/x': 'x', 'root/a/b/x': 'x', 'root/a/b/c/x': 'x' },
    )
    const verdicts: Record<string, boolean> = { x: false, 'a/x': true, 'a/b/x': false, 'a/b/c/x': true }
    for (const [path, may] of Object.entries(verdicts)) {
      expect(await files.read(path), path).toMatchObject(readable)
      const expected = may
        ? { path, change: 'modified' }
        : refused(/may not be changed: it was granted for reading/)
      expect(await files.write(path, 'y', { create: false }), path).toEqual(expected)
      const made = await files.write(`${path}-new/deep`, 'y', { create: true })
      expect(made, path).toEqual(
        may ? { path: `${path}-new/deep`, change: 'new' } : refused(/may not be changed/),
      )
    }
    expect(await files.delete('a/b/x')).toEqual(refused(/may not be changed/))
    expect(await files.delete('a/b/c/x')).toMatchObject({ change: 'deleted' })
  })

  it('of two grants for one path, the stricter', async () => {
    const { files } = open(
      {
        paths: [
          { path: 'a', permission: 'write' },
          { path: 'a', permission: 'read' },
        ],
      },
      { 'root/a/x': 'x' },
    )
    expect(await files.write('a/x', 'y', { create: false })).toEqual(refused(/may not be changed/))
  })

  it('protected paths, from the grant or from the root, are only read', async () => {
    const { files } = open(
      {
        paths: [
          { path: 'src', permission: 'write', protected_paths: ['src/vendor', 'keys.txt', '/etc'] },
          { path: 'src/vendor/ours', permission: 'write' },
        ],
      },
      {
        'root/src/vendor/x': 'x',
        'root/src/vendor/ours/x': 'x',
        'root/src/keys.txt': 'k',
        'root/src/x': 'x',
      },
    )
    for (const path of ['src/vendor/x', 'src/keys.txt', 'src/VENDOR/x', 'src/Keys.txt']) {
      const created = await files.write(`${path}.new`, 'y', { create: true })
      if (!path.toLowerCase().endsWith('keys.txt'))
        expect(created, path).toEqual(refused(/the config protects it/))
      expect(await files.write(path, 'y', { create: false }), path).toEqual(refused(/the config protects it/))
      expect(await files.delete(path), path).toEqual(refused(/the config protects it/))
    }
    expect(await files.read('src/vendor/x')).toMatchObject(readable)
    expect(await files.write('src/x', 'y', { create: false })).toMatchObject({ change: 'modified' })
    expect(await files.write('src/vendor/ours/x', 'y', { create: false })).toMatchObject({
      change: 'modified',
    })
    expect(await files.read('/etc/passwd')).toEqual(refused(/outside/))
  })

  it('paths outside the root, folders and single files, by their absolute names', async () => {
    const base = temporaryFolder()
    writeFiles(base, { 'docs/a.md': 'a', 'one/file.txt': 'f', 'one/other.txt': 'o', 'root/x': 'x' })
    const files = openFiles({
      root: join(base, 'root'),
      paths: [
        { path: join(base, 'docs'), permission: 'read' },
        { path: '../one/file.txt', permission: 'write' },
      ],
    })
    const doc = join(base, 'docs/a.md')
    const single = join(base, 'one/file.txt')
    expect(await files.read(doc)).toMatchObject({ path: doc, text: 'a' })
    expect(await files.list(join(base, 'docs'))).toEqual([{ path: doc, kind: 'file', size: 1 }])
    expect(await files.write(doc, 'b', { create: false })).toEqual(refused(/may not be changed/))
    expect(await files.write(single, 'g', { create: false })).toEqual({ path: single, change: 'modified' })
    expect(await files.read(join(base, 'one/other.txt'))).toEqual(refused(/outside/))
    expect(await files.list(join(base, 'one'))).toEqual(refused(/outside/))
    expect(await files.read('../docs/a.md')).toEqual(refused(/\.\./))
    expect(await files.read(`${join(base, 'docs')}-more/x`)).toEqual(refused(/outside/))
  })

  it('protected names stay protected in every grant', async () => {
    const base = temporaryFolder()
    writeFiles(base, { 'repo/.git/hooks/x': 'x', 'root/x': '' })
    const hooks = join(base, 'repo/.git/hooks')
    const files = openFiles({ root: join(base, 'root'), paths: [{ path: hooks, permission: 'write' }] })
    expect(await files.write(join(hooks, 'pre-commit'), 'x', { create: true })).toEqual(
      refused(/is protected/),
    )
  })
})

describe('5 a granted path is found anew for every access', () => {
  const swap = (path: string, target: string): void => {
    renameSync(path, `${path}-aside`)
    symlinkSync(target, path)
  }

  it.each(['granted', 'parent', 'root'])(
    'and refused when the %s was replaced by a link meanwhile',
    async (what) => {
      const base = temporaryFolder()
      const root = join(base, 'root')
      writeFiles(base, {
        'root/x': 'x',
        'outer/docs/a.md': 'a',
        'elsewhere/docs/a.md': CANARY,
        'elsewhere/a.md': CANARY,
      })
      writeFiles(base, { 'elsewhere/x': CANARY })
      const docs = join(base, 'outer/docs')
      const files = openFiles({ root, paths: [{ path: docs, permission: 'write' }] })
      expect(await files.read(join(docs, 'a.md'))).toMatchObject({ text: 'a' })
      if (what === 'granted') swap(docs, join(base, 'elsewhere'))
      if (what === 'parent') swap(join(base, 'outer'), join(base, 'elsewhere'))
      if (what === 'root') swap(root, join(base, 'elsewhere'))
      const path = what === 'root' ? 'x' : join(docs, 'a.md')
      const link = refused(/symbolic link|not a folder any more/)
      expect(await files.read(path)).toEqual(link)
      expect(await files.stat(path)).toEqual(link)
      expect(await files.write(path, 'hacked', { create: false })).toEqual(link)
      expect(await files.write(`${path}.new`, 'hacked', { create: true })).toEqual(link)
      expect(await files.delete(path)).toEqual(link)
      expect(readFileSync(join(base, 'elsewhere/a.md'), 'utf8')).toBe(CANARY)
    },
  )

  it('and used when it was made anew as what it was', async () => {
    const { root, files } = open({ paths: [{ path: 'out', permission: 'write' }] }, { 'root/out/a': 'a' })
    rmSync(join(root, 'out'), { recursive: true })
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'out/a'), 'b')
    expect(await files.read('out/a')).toMatchObject({ text: 'b' })
  })

  it('and a nested one is not reached through a link that a writable parent was given', async () => {
    const { base, root, files } = open(
      { paths: [{ path: 'vendor/docs', permission: 'read' }] },
      { 'root/vendor/docs/a': 'a', 'elsewhere/docs/a': CANARY },
    )
    renameSync(join(root, 'vendor'), join(root, 'vendor-aside'))
    symlinkSync(join(base, 'elsewhere'), join(root, 'vendor'))
    expect(await files.read('vendor/docs/a')).toEqual(refused(/symbolic link/))
  })
})

it.each(Object.keys(fileTools))('5 %s keeps to the grants', async (tool) => {
  const scene = makeScene({ permission: 'read' })
  writeFileSync(join(scene.root, 'file.txt'), CANARY)
  const result = await scene.run(tool, 'file.txt')
  if (writingTools.includes(tool)) expect(result).toMatchObject({ success: false })
  expect(readFileSync(join(scene.root, 'file.txt'), 'utf8')).toBe(CANARY)
  expect(scene.outsideState()).toEqual(untouched)
})

it('5 a search finds what is in another granted folder, by its absolute name', async () => {
  const docs = temporaryFolder()
  writeFiles(docs, { 'a.md': 'a canary\n' })
  const scene = makeScene({ paths: [{ path: docs, permission: 'read' }] })
  const found = await scene.run('search_code', docs)
  expect(found).toEqual({ success: true, output: `${join(docs, 'a.md')}:1:a canary` })
})
