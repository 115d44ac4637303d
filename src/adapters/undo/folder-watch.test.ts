import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs, testWith } from '../../../test/support/needs.ts'
import { temporaryFolder, writeFiles } from '../../../test/support/workbench.ts'
import type { FolderChanges } from '../../ports/undo.ts'
import { openBlobStore } from './blob-store.ts'
import { watchFolders } from './folder-watch.ts'

const LIMITS = { files: 1_000, bytes: 1_000_000, file_bytes: 100_000 }

function setUp(files: Record<string, string>) {
  const folder = temporaryFolder()
  const data = temporaryFolder()
  writeFiles(folder, files)
  const blobs = openBlobStore(join(data, 'undo'))
  const watch = watchFolders(join(data, 'undo', 'trees'), blobs, LIMITS)
  const during = async (work: () => void, at = folder): Promise<FolderChanges> => {
    const end = await watch.begin(at)
    work()
    return end()
  }
  const text = async (blob: string | null | undefined): Promise<string> =>
    Buffer.from((await blobs.read(blob ?? '')) ?? []).toString()
  return { folder, data, during, text, path: (name: string) => join(folder, name) }
}

const paths = ({ files }: FolderChanges): string[] => files.map(({ path, change }) => `${change} ${path}`)

describe('what a command changed', () => {
  testWith('git', 'is found with the old bytes: edited, new, deleted, moved, and nothing else', async () => {
    const { path, during, text } = setUp({ 'a.txt': 'a\r\n', 'b.txt': 'b', 'c/d.txt': 'd', same: 'x' })
    const changes = await during(() => {
      writeFileSync(path('a.txt'), 'A')
      rmSync(path('b.txt'))
      renameSync(path('c/d.txt'), path('c/e.txt'))
      writeFileSync(path('same'), 'x')
    })
    expect(paths(changes)).toEqual(['modified a.txt', 'deleted b.txt', 'deleted c/d.txt', 'new c/e.txt'])
    const [a, b, , e] = changes.files
    expect(await text(a?.before)).toBe('a\r\n')
    expect(await text(b?.before)).toBe('b')
    expect(b?.after).toBeNull()
    expect(e?.before).toBeNull()
    expect(await during(() => {})).toEqual({ files: [] })
  })

  testWith('git', 'is found although a look before it saw the same size and time', async () => {
    const { path, during } = setUp({ 'a.txt': 'one' })
    expect(paths(await during(() => writeFileSync(path('a.txt'), 'two')))).toEqual(['modified a.txt'])
    expect(paths(await during(() => writeFileSync(path('a.txt'), 'six')))).toEqual(['modified a.txt'])
  })

  testWith('git', 'is kept byte for byte, whatever the attributes of the project say', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x24, 0x49, 0x64, 0x24])
    const { path, during } = setUp({ '.gitattributes': '* text eol=lf ident working-tree-encoding=UTF-16\n' })
    writeFileSync(path('bytes'), bytes)
    const changes = await during(() => rmSync(path('bytes')))
    const hash = changes.files[0]?.before
    const { createHash } = await import('node:crypto')
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  testWith('git', 'is not looked for in ignored files, other repositories and large files', async () => {
    const { path, during } = setUp({ '.gitignore': 'out/\n', 'out/x': '1', 'a.txt': 'a' })
    mkdirSync(path('nested'))
    spawnSync('git', ['init', '-q'], { cwd: path('nested') })
    const changes = await during(() => {
      writeFileSync(path('out/x'), '2')
      writeFileSync(path('nested/file'), 'x')
      writeFileSync(path('large'), 'x'.repeat(LIMITS.file_bytes + 1))
      writeFileSync(path('a.txt'), 'b')
    })
    expect(paths(changes)).toEqual(['modified a.txt'])
  })

  testWith('git', 'is found when a file becomes a folder, a link, or may be run', async () => {
    const { path, during } = setUp({ a: 'a', b: 'b', c: 'c' })
    const changes = await during(() => {
      rmSync(path('a'))
      mkdirSync(path('a'))
      writeFileSync(path('a/inner'), 'x')
      rmSync(path('b'))
      symlinkSync('/etc/passwd', path('b'))
      chmodSync(path('c'), 0o755)
    })
    expect(changes.files).toEqual([
      expect.objectContaining({ path: 'a', change: 'deleted' }),
      expect.objectContaining({ path: 'a/inner', change: 'new' }),
      { path: 'b', change: 'modified' },
      expect.objectContaining({ path: 'c', change: 'modified', before_mode: 0o644 }),
    ])
    expect(changes.files[3]?.before).toBe(changes.files[3]?.after)
  })

  testWith(
    'git',
    'is told from the folder, also below the top of a repository, whose index stays',
    async () => {
      const { folder, path, during } = setUp({ '.gitignore': '*.log\n', 'sub/a.txt': 'a', 'other.txt': 'o' })
      spawnSync('git', ['init', '-q'], { cwd: folder })
      spawnSync('git', ['add', '.gitignore'], { cwd: folder })
      const index = readFileSync(path('.git/index'))
      const objects = readdirSync(path('.git/objects'))
      const changes = await during(() => {
        writeFileSync(path('sub/a.txt'), 'b')
        writeFileSync(path('sub/x.log'), 'x')
        writeFileSync(path('other.txt'), 'p')
      }, path('sub'))
      expect(paths(changes)).toEqual(['modified a.txt'])
      expect(readFileSync(path('.git/index'))).toEqual(index)
      expect(readdirSync(path('.git/objects'))).toEqual(objects)
    },
  )

  testWith('git', 'is not looked for in a folder that is too large, which is said once', async () => {
    const { path, during } = setUp({ a: 'x' })
    for (let index = 0; index < 11; index += 1) writeFileSync(path(`file-${index}`), 'x'.repeat(99_000))
    const first = await during(() => writeFileSync(path('a'), 'y'))
    expect(first).toEqual({ files: [], note: expect.stringContaining('more than 1000000 bytes') })
    expect(await during(() => writeFileSync(path('a'), 'z'))).toEqual({ files: [] })
  })

  it('is not looked for without git, which is said', async () => {
    const { during } = setUp({ a: 'x' })
    const { PATH } = process.env
    process.env['PATH'] = '/nowhere'
    try {
      expect(await during(() => {})).toEqual({
        files: [],
        note: expect.stringContaining('git is not installed'),
      })
    } finally {
      process.env['PATH'] = PATH
    }
  })

  it.runIf(needs('git'))('is kept where only the owner can look', async () => {
    const { data, path, during } = setUp({ a: 'secret' })
    await during(() => writeFileSync(path('a'), 'other'))
    const { statSync } = await import('node:fs')
    expect(statSync(join(data, 'undo')).mode & 0o077).toBe(0)
    for (const name of readdirSync(join(data, 'undo')).filter((name) => name.length === 64)) {
      expect(statSync(join(data, 'undo', name)).mode & 0o077).toBe(0)
    }
    expect(existsSync(join(data, 'undo', 'trees'))).toBe(true)
  })
})
