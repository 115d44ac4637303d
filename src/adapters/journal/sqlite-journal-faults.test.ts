import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Journal } from '../../ports/journal.ts'
import { commitOf, problemOf } from './journal-contract.test-support.ts'
import { openDatabase } from './sqlite-database.ts'
import { journalOn, openSqliteJournal } from './sqlite-journal.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const isRoot = process.getuid?.() === 0
const canMount = isRoot && tryMount()

function tryMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'conclave-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'none', place]).status === 0
  if (mounted) spawnSync('umount', [place])
  rmdirSync(place)
  return mounted
}

/** Changes a database behind the journal's back. */
function tamper(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

async function mountSmallDisk(size: string): Promise<string> {
  const folder = await tempFolder()
  const disk = join(folder, 'disk')
  await mkdir(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk]).status !== 0) {
    throw new Error(`cannot mount a tmpfs at ${disk}`)
  }
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  return disk
}

/** Appends large events until it fails; returns how many are stored and the problem. */
async function fill(journal: Journal): Promise<{ stored: number; problem: string }> {
  for (let after = 0; after < 10_000; after++) {
    try {
      await journal.append(commitOf('chat_1', after, ['x'.repeat(20_000)], { texts: [`text ${after}`] }))
    } catch {
      return {
        stored: after,
        problem: await problemOf(journal.append(commitOf('chat_1', after, ['x'.repeat(20_000)]))),
      }
    }
  }
  throw new Error('the disk never filled up')
}

describe('a SQLite journal without space', () => {
  it('says so, keeps what it has, and goes on when there is space again', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const database = openDatabase(path, 0)
    database.exec('PRAGMA max_page_count = 100')
    const journal = journalOn(database, path)

    const { stored, problem } = await fill(journal)
    expect(problem).toBe('full')
    expect(stored).toBeGreaterThan(3)
    expect(await journal.read('chat_1')).toHaveLength(stored)
    expect(await journal.search('text', 1000)).toHaveLength(stored)
    database.exec('PRAGMA max_page_count = 10000')
    await journal.append(commitOf('chat_1', stored, ['fits']))
    expect(await journal.read('chat_1')).toHaveLength(stored + 1)
    await journal.close()
  })

  it.runIf(canMount)('is intact on a disk that is really full', async () => {
    const disk = await mountSmallDisk('1m')
    const path = join(disk, 'journal.db')
    const journal = await openSqliteJournal({ path })

    const { stored, problem } = await fill(journal)
    expect(problem).toBe('full')
    expect(await journal.read('chat_1')).toHaveLength(stored)
    spawnSync('mount', ['-o', 'remount,size=4m', disk])
    await journal.append(commitOf('chat_1', stored, ['fits']))
    await journal.close()
    const again = await openSqliteJournal({ path })
    expect(await again.read('chat_1')).toHaveLength(stored + 1)
    await again.close()
  })

  it.runIf(canMount)('cannot be created on a disk that is really full', async () => {
    const disk = await mountSmallDisk('32k')
    await writeFile(join(disk, 'filler'), 'x'.repeat(28_000))

    expect(await problemOf(openSqliteJournal({ path: join(disk, 'journal.db') }))).toBe('full')
  })
})

describe('a SQLite journal that may not be written', () => {
  /** Permissions do not bind root, so the work is done as somebody else then. */
  async function asUser<T>(work: () => Promise<T>): Promise<T> {
    if (!isRoot) return work()
    process.seteuid?.(65_534)
    try {
      return await work()
    } finally {
      process.seteuid?.(0)
    }
  }

  async function createJournal(): Promise<{ folder: string; path: string }> {
    const folder = await tempFolder()
    const path = join(folder, 'journal.db')
    const journal = await openSqliteJournal({ path })
    await journal.append(commitOf('chat_1', 0, ['a']))
    await journal.close()
    onTestFinished(() => chmod(folder, 0o700))
    return { folder, path }
  }

  it('can be read when only its file is protected', async () => {
    const { folder, path } = await createJournal()
    await chmod(path, 0o444)
    await chmod(folder, 0o777)

    await asUser(async () => {
      const journal = await openSqliteJournal({ path })
      expect(await journal.read('chat_1')).toHaveLength(1)
      expect(await problemOf(journal.acquire('chat_1'))).toBe('read_only')
      await expect(journal.append(commitOf('chat_2', 0, ['x']))).rejects.toMatchObject({
        problem: 'read_only',
        message: expect.stringContaining(path),
        hint: expect.stringContaining('writable'),
      })
      await journal.close()
    })
  })

  it('is not opened in a protected folder', async () => {
    const { folder, path } = await createJournal()
    await chmod(path, 0o444)
    await chmod(folder, 0o555)

    expect(await asUser(() => problemOf(openSqliteJournal({ path })))).toBe('read_only')
  })

  it('is not created in a protected folder', async () => {
    const folder = await tempFolder()
    await chmod(folder, 0o555)
    onTestFinished(() => chmod(folder, 0o700))

    const create = (name: string) => asUser(() => problemOf(openSqliteJournal({ path: join(folder, name) })))
    expect(await create('journal.db')).toBe('unavailable')
    expect(await create('deeper/journal.db')).toBe('unavailable')
  })

  it.runIf(canMount)('is not opened on a read-only disk', async () => {
    const disk = await mountSmallDisk('2m')
    const path = join(disk, 'journal.db')
    const journal = await openSqliteJournal({ path })
    await journal.append(commitOf('chat_1', 0, ['a']))
    await journal.close()
    spawnSync('mount', ['-o', 'remount,ro', disk])

    expect(await problemOf(openSqliteJournal({ path }))).toBe('read_only')
    expect(await problemOf(openSqliteJournal({ path: join(disk, 'new', 'journal.db') }))).toBe('read_only')
  })
})

describe('a SQLite journal at a place that cannot hold one', () => {
  it('is unavailable and names the place', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'file'), '')
    await symlink('loop', join(folder, 'loop'))

    for (const path of [folder, join(folder, 'file', 'journal.db'), join(folder, 'loop', 'journal.db')]) {
      await expect(openSqliteJournal({ path })).rejects.toMatchObject({
        problem: 'unavailable',
        message: expect.stringContaining(path),
        hint: expect.stringContaining('--data-dir'),
      })
    }
  })
})

describe('a damaged SQLite journal', () => {
  const MARK = 'a text that is easy to find'

  async function createJournal(): Promise<string> {
    const path = join(await tempFolder(), 'journal.db')
    const journal = await openSqliteJournal({ path })
    const entry = { kind: 'chat' }
    await journal.append(commitOf('chat_1', 0, ['a', MARK, 'c'], { entry }))
    await journal.append(commitOf('chat_2', 0, ['a'], { entry }))
    await journal.close()
    return path
  }

  it.each([
    [
      'a changed body',
      'event 2 of chat_1',
      `UPDATE events SET body = replace(body, 'easy', 'hard') WHERE seq = 2`,
    ],
    [
      'a body of another type',
      'event 2 of chat_1',
      `UPDATE events SET body = replace(body, 'guidance', 'guidancf') WHERE seq = 2`,
    ],
    [
      'a changed time',
      'event 2 of chat_1',
      `UPDATE events SET at = '2026-03-01T10:00:01.000Z' WHERE seq = 2`,
    ],
    ['a changed version', 'event 2 of chat_1', `UPDATE events SET v = 0 WHERE seq = 2`],
    ['a changed checksum', 'event 2 of chat_1', `UPDATE events SET sum = sum + 1 WHERE seq = 2`],
    [
      'an event of another stream',
      'event 4 of chat_1',
      `INSERT INTO events SELECT 'chat_1', 4, v, at, body, sum FROM events
      WHERE stream = 'chat_2'`,
    ],
    ['a lost first event', 'event 1 of chat_1', `DELETE FROM events WHERE stream = 'chat_1' AND seq = 1`],
    ['a lost event', 'event 2 of chat_1', `DELETE FROM events WHERE stream = 'chat_1' AND seq = 2`],
    [
      'a renumbered event',
      'event 3 of chat_1',
      `UPDATE events SET seq = 9 WHERE stream = 'chat_1' AND seq = 3`,
    ],
    [
      'a number beyond all numbers',
      'event 3 of chat_1',
      `UPDATE events SET seq = 9007199254740993 WHERE stream = 'chat_1' AND seq = 3`,
    ],
    ['no events at all', 'event 1 of chat_1', `DELETE FROM events WHERE stream = 'chat_1'`],
  ])('with %s does not show that stream, but the others', async (_, detail, sql) => {
    const path = await createJournal()
    tamper(path, sql)
    const journal = await openSqliteJournal({ path })

    await expect(journal.read('chat_1')).rejects.toMatchObject({
      problem: 'damaged',
      message: expect.stringContaining(`${path} is damaged: ${detail}`),
      hint: expect.stringContaining('backup'),
    })
    expect(await journal.read('chat_2')).toHaveLength(1)
    await journal.append(commitOf('chat_3', 0, ['still works']))
    await journal.close()
  })

  it('does not show a body that is no JSON, though its checksum fits', async () => {
    const path = await createJournal()
    const { checksum } = await import('./stored-record.ts')
    const sum = checksum('chat_1', 2, 1, '2026-03-01T10:00:00.000Z', '{')
    tamper(path, `UPDATE events SET body = '{', sum = ${sum} WHERE stream = 'chat_1' AND seq = 2`)
    const journal = await openSqliteJournal({ path })

    await expect(journal.read('chat_1')).rejects.toThrow('event 2 of chat_1 is not readable JSON')
    await journal.close()
  })

  it('notices a single bit that flipped in the file', async () => {
    const path = await createJournal()
    const bytes = await readFile(path)
    const position = bytes.indexOf(MARK)
    expect(position).toBeGreaterThan(0)
    bytes[position + 5] = (bytes[position + 5] ?? 0) ^ 0x04
    await writeFile(path, bytes)
    const journal = await openSqliteJournal({ path })

    await expect(journal.read('chat_1')).rejects.toThrow('event 2 of chat_1')
    expect(await problemOf(journal.read('chat_1'))).toBe('damaged')
    await journal.close()
  })

  it('never shows a wrong history, whichever byte of its pages changed', async () => {
    const path = await createJournal()
    const bytes = await readFile(path)
    const reference = await openSqliteJournal({ path })
    const expected = JSON.stringify(await reference.read('chat_1'))
    await reference.close()

    let noticed = 0
    // Around the page that holds the events: its header, the cell pointers and the cells.
    const page = bytes.indexOf(MARK) & ~4095
    for (let offset = page; offset < page + 4096; offset += offset < page + 24 ? 1 : 37) {
      const changed = Buffer.from(bytes)
      changed[offset] = (changed[offset] ?? 0) ^ 0x41
      await writeFile(path, changed)
      const journal = await openSqliteJournal({ path })
      const outcome = await journal.read('chat_1').then(JSON.stringify, (error: unknown) => error)
      await journal.close()
      if (outcome === expected) continue
      noticed++
      expect(outcome, `offset ${offset - page}`).toMatchObject({ problem: 'damaged' })
    }
    expect(noticed).toBeGreaterThan(5)
  })

  it('is not opened when it is no database, or another one', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'journal.db')
    await writeFile(path, 'this is a text file, much longer than the header of a database. '.repeat(20))
    expect(await problemOf(openSqliteJournal({ path }))).toBe('damaged')

    const foreign = join(folder, 'foreign.db')
    tamper(foreign, 'CREATE TABLE recipes (name TEXT)')
    await expect(openSqliteJournal({ path: foreign })).rejects.toThrow('not a journal of conclave')
    tamper(foreign, 'PRAGMA user_version = 1')
    await expect(openSqliteJournal({ path: foreign })).rejects.toThrow('not a journal of conclave')
  })

  it('is reported when the file was cut off', async () => {
    const path = await createJournal()
    const bytes = await readFile(path)
    await writeFile(path, bytes.subarray(0, 8192))

    const read = async () => {
      const journal = await openSqliteJournal({ path })
      try {
        return await journal.read('chat_1')
      } finally {
        await journal.close()
      }
    }
    expect(await problemOf(read())).toBe('damaged')
  })
})
