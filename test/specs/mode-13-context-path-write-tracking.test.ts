import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trackWrites } from '../../src/adapters/workspace/track-writes.ts'
import type { TrackedWrites } from '../../src/ports/workspace.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'
import { git } from '../workspace/support.ts'

interface Tracked {
  folder: string
  log_dir: string
  record: string
  end(): Promise<TrackedWrites>
}

async function tracked(
  files: Record<string, string>,
  paths = ['.'],
  prepare = (_folder: string): void => {},
) {
  const folder = temporaryFolder()
  writeFiles(folder, files)
  prepare(folder)
  const log_dir = temporaryFolder()
  const record = join(log_dir, 'before.json')
  const begun = await trackWrites().begin({ paths: paths.map((path) => join(folder, path)), record })
  expect(begun).toBeUndefined()
  const scene: Tracked = {
    folder,
    log_dir,
    record,
    async end() {
      // Another tracker, as after a crash: all it knows is in the record.
      const ended = await trackWrites().end({ record, log_dir, folder })
      if ('refused' in ended) throw new Error(ended.refused)
      return ended
    },
  }
  return scene
}

const changes = ({ writes }: TrackedWrites): string[] => writes.map(({ path, change }) => `${change} ${path}`)

test('MODE-13.1 before writing is allowed, paths and times of all files are noted, contents not', async () => {
  const { folder, record } = await tracked({ 'src/a.ts': 'SECRET-BYTES', 'b.ts': 'b', 'read/c.ts': 'c' }, [
    'src',
    'b.ts',
  ])
  const text = readFileSync(record, 'utf8')
  const stored = JSON.parse(text) as { stamps: [string, string][] }
  expect(stored.stamps.map(([path]) => path).sort()).toEqual([join(folder, 'b.ts'), join(folder, 'src/a.ts')])
  const mtime = statSync(join(folder, 'src/a.ts'), { bigint: true }).mtimeNs
  expect(stored.stamps.find(([path]) => path.endsWith('a.ts'))?.[1]).toContain(`${mtime}`)
  expect(text).not.toContain('SECRET-BYTES')
  // The process that comes after a crash must not take what was written meanwhile for the beginning.
  writeFileSync(join(folder, 'b.ts'), 'written')
  await trackWrites().begin({ paths: [folder], record })
  expect(readFileSync(record, 'utf8')).toBe(text)
})

test('MODE-13.2 afterwards new and modified files are found, and deleted ones', async () => {
  const { folder, end } = await tracked({
    'a.ts': 'a',
    'b.ts': 'b',
    'c.ts': 'c',
    'd/e.ts': 'e',
    'same.ts': 's',
  })
  appendFileSync(join(folder, 'a.ts'), 'more')
  rmSync(join(folder, 'b.ts'))
  renameSync(join(folder, 'c.ts'), join(folder, 'moved.ts'))
  writeFiles(folder, { 'new/deep.ts': 'n' })
  expect(changes(await end())).toEqual([
    'modified a.ts',
    'deleted b.ts',
    'deleted c.ts',
    'new moved.ts',
    'new new/deep.ts',
  ])
})

test('MODE-13.2 a restored modification time, a mode and a replaced file are found', async () => {
  const { folder, end } = await tracked({ 'a.ts': 'aaaa', 'run.sh': 'x', 'b.ts': 'b' })
  const file = join(folder, 'a.ts')
  const { atime, mtime } = statSync(file)
  writeFileSync(file, 'bbbb')
  utimesSync(file, atime, mtime)
  chmodSync(join(folder, 'run.sh'), 0o755)
  rmSync(join(folder, 'b.ts'))
  symlinkSync('/etc/passwd', join(folder, 'b.ts'))
  expect(changes(await end())).toEqual(['modified a.ts', 'modified b.ts', 'modified run.sh'])
})

testWith(
  'git',
  'MODE-13.2 Git and ignored folders are left out unless they are context paths; protected files are not',
  async () => {
    const files = {
      '.gitignore': 'dist/\nnode_modules/\n*.log\n',
      'dist/old.js': 'x',
      'node_modules/p/x.js': 'x',
      'logs/only.log': 'x',
      'conclave.yaml': 'x',
      'src/a.ts': 'a',
    }
    const init = (folder: string): void => void git(folder, 'init', '-q')
    const write = (folder: string): void =>
      writeFiles(folder, {
        'dist/new.js': 'x',
        'node_modules/p/x.js': 'changed',
        '.git/description': 'changed',
        'logs/only.log': 'changed',
        'build.log': 'x',
        'conclave.yaml': 'changed',
        'src/a.ts': 'changed',
      })
    const all = await tracked(files, ['.'], init)
    write(all.folder)
    expect(changes(await all.end())).toEqual([
      'new build.log',
      'modified conclave.yaml',
      'modified logs/only.log',
      'modified src/a.ts',
    ])
    const named = await tracked(files, ['dist', '.git'], init)
    write(named.folder)
    expect(changes(await named.end())).toEqual(['modified .git/description', 'new dist/new.js'])
  },
)

testWith('git', 'MODE-13.2 a folder cannot be hidden by new ignore rules', async () => {
  const { folder, end } = await tracked({ 'src/a.ts': 'a', 'src/b.ts': 'b' }, ['.'], (at) =>
    git(at, 'init', '-q'),
  )
  writeFiles(folder, { '.gitignore': 'src/\nhidden/\n', 'src/a.ts': 'changed', 'hidden/x.ts': 'x' })
  expect(changes(await end())).toEqual(['new .gitignore', 'new hidden/x.ts', 'modified src/a.ts'])
})

test('MODE-13.3 up to five written files are named below the final answer', async () => {
  const { folder, log_dir, end } = await tracked({ 'a.ts': 'a', 'b.ts': 'b' })
  writeFiles(folder, { 'a.ts': 'changed', 'src/new.ts': 'n' })
  rmSync(join(folder, 'b.ts'))
  expect((await end()).footer).toBe(
    'Files written to context paths:\n- a.ts (modified)\n- b.ts (deleted)\n- src/new.ts (new)',
  )
  expect(existsSync(join(log_dir, 'context_path_writes.txt'))).toBe(false)
})

test('MODE-13.4 from six on the answer shows their number and where the full list is', async () => {
  const { folder, log_dir, end } = await tracked({ 'a.ts': 'a' })
  writeFiles(folder, Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`n${n}.ts`, 'n'])))
  rmSync(join(folder, 'a.ts'))
  const list = join(log_dir, 'context_path_writes.txt')
  expect((await end()).footer).toBe(`7 files written to context paths\nFull list: ${list}`)
  expect(readFileSync(list, 'utf8')).toBe(
    'a.ts (deleted)\nn1.ts (new)\nn2.ts (new)\nn3.ts (new)\nn4.ts (new)\nn5.ts (new)\nn6.ts (new)\n',
  )
})

test('MODE-13.5 nothing written, nothing said', async () => {
  const { folder, log_dir, end } = await tracked({ 'a.ts': 'a', 'd/b.ts': 'b' })
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('a')
  expect(await end()).toEqual({ writes: [] })
  expect(existsSync(join(log_dir, 'context_path_writes.txt'))).toBe(false)
})

test('what a killed process had begun to write is removed and not listed', async () => {
  const { folder, end } = await tracked({ 'a.txt': 'a' })
  const gone = spawnSync('true').pid
  writeFileSync(join(folder, `.conclave-${gone}-abc.tmp`), 'half')
  writeFileSync(join(folder, `.conclave-${process.pid}-abc.tmp`), 'another is at work')
  writeFileSync(join(folder, 'b.txt'), 'b')
  expect(changes(await end())).toEqual([`new .conclave-${process.pid}-abc.tmp`, 'new b.txt'])
  expect(existsSync(join(folder, `.conclave-${gone}-abc.tmp`))).toBe(false)
})
