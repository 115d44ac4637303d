import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { commitOf, describeJournal, problemOf, said } from './journal-contract.test-support.ts'
import { openSqliteJournal } from './sqlite-journal.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const FIXTURE = new URL('../../../test/fixtures/journal/v1.sql', import.meta.url)

describeJournal('SQLite journal', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conclave-journal-'))
  const path = join(folder, 'journal.db')
  return {
    open: (owner) => openSqliteJournal({ path, ...(owner === undefined ? {} : { owner }) }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
})

describe('the file of a SQLite journal', () => {
  it('is created with its folders for this user alone', async () => {
    const folder = await tempFolder()
    for (const path of [join(folder, 'journal.db'), join(folder, 'deep', 'er', 'journal.db')]) {
      const journal = await openSqliteJournal({ path })
      await journal.append(commitOf('chat_1', 0, ['a']))
      for (const file of [path, `${path}-wal`, `${path}-shm`]) {
        expect((await stat(file)).mode & 0o777).toBe(0o600)
      }
      await journal.close()
    }
    for (const made of ['deep', join('deep', 'er')]) {
      expect((await stat(join(folder, made))).mode & 0o777).toBe(0o700)
    }
  })

  it('still holds everything when it is opened again', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const first = await openSqliteJournal({ path })
    await first.append(
      commitOf('chat_1', 0, ['a'], { entry: { kind: 'chat', title: 'Kept' }, texts: ['needle'] }),
    )
    const before = [await first.read('chat_1'), await first.list('chat'), await first.search('needle', 9)]
    await first.close()

    const second = await openSqliteJournal({ path })
    const after = [await second.read('chat_1'), await second.list('chat'), await second.search('needle', 9)]
    expect(after).toEqual(before)
    expect(after.map((found) => found.length)).toEqual([1, 1, 1])
    await second.close()
  })

  it('may have been left empty by a crash while it was created', async () => {
    const path = join(await tempFolder(), 'journal.db')
    await writeFile(path, '')
    const journal = await openSqliteJournal({ path })
    await journal.append(commitOf('chat_1', 0, ['a']))

    expect(await journal.read('chat_1')).toHaveLength(1)
    await journal.close()
  })

  it('gives a stream a higher fence with each acquisition, also after a release', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const journal = await openSqliteJournal({ path })
    const inspector = new DatabaseSync(path)
    const fences: number[] = []
    for (let round = 0; round < 3; round++) {
      await journal.acquire('chat_1')
      fences.push(Number(inspector.prepare('SELECT fence FROM owners').get()?.['fence']))
      await journal.release('chat_1')
    }

    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b))
    inspector.close()
    await journal.close()
  })

  it('is not written by a journal that lost its stream to another without noticing', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const [stale, next] = [await openSqliteJournal({ path }), await openSqliteJournal({ path })]
    await stale.append(commitOf('chat_1', 0, ['a']))
    const inspector = new DatabaseSync(path)
    // No process has this pid: the owner looks dead.
    inspector.exec("UPDATE owners SET owner = json_set(owner, '$.pid', 2147483646)")
    inspector.close()

    expect(await next.acquire('chat_1')).toEqual({ acquired: true })
    expect(await problemOf(stale.append(commitOf('chat_1', 1, ['x'])))).toBe('not_owner')
    expect(await stale.acquire('chat_1')).toEqual({ acquired: false, owner: `process ${process.pid}` })
    await stale.release('chat_1')
    await stale.close()
    await next.append(commitOf('chat_1', 1, ['b']))
    expect(await next.read('chat_1')).toHaveLength(2)
    await next.close()
  })

  it('returns 100,000 events in order', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const journal = await openSqliteJournal({ path })
    for (let after = 0; after < 100_000; after += 2000) {
      const texts = Array.from({ length: 2000 }, (_, position) => `event ${after + 1 + position}`)
      await journal.append(commitOf('chat_1', after, texts))
    }

    const envelopes = await journal.read('chat_1')
    expect(envelopes).toHaveLength(100_000)
    const wrong = envelopes.findIndex(
      ({ seq, event }, position) =>
        seq !== position + 1 || event.type !== 'guidance.given' || event.text !== `event ${seq}`,
    )
    expect(wrong).toBe(-1)
    await journal.close()
  })
})

describe('a SQLite journal of format 1', () => {
  async function loadFixture(): Promise<string> {
    const path = join(await tempFolder(), 'journal.db')
    const database = new DatabaseSync(path)
    database.exec(await readFile(FIXTURE, 'utf8'))
    database.close()
    return path
  }

  it('opens, and is left as it is', async () => {
    const path = await loadFixture()
    const before = await readFile(path)
    const journal = await openSqliteJournal({ path })

    expect((await journal.read('chat_old')).map(({ seq, at, event }) => ({ seq, at, event }))).toEqual([
      {
        seq: 1,
        at: '2026-01-05T09:00:00.000Z',
        event: {
          type: 'chat.created',
          chat_id: 'chat_old',
          title: 'Grüße',
          folder: '/home/anna/project',
          config: { agent_mode: 'Act' },
        },
      },
      { seq: 2, at: '2026-01-05T09:01:00.000Z', event: said('mind the "commas" – 100 %') },
    ])
    expect(await journal.list('chat')).toEqual([
      {
        stream: 'chat_old',
        kind: 'chat',
        title: 'Grüße',
        folder: '/home/anna/project',
        status: 'idle',
        created_at: '2026-01-05T09:00:00.000Z',
        updated_at: '2026-01-05T09:01:00.000Z',
      },
    ])
    expect((await journal.search('commas', 9)).map(({ stream }) => stream)).toEqual(['chat_old'])
    await journal.close()
    expect((await readFile(path)).equals(before)).toBe(true)
  })

  it('can be continued', async () => {
    const journal = await openSqliteJournal({ path: await loadFixture() })

    expect(await journal.acquire('chat_old')).toEqual({ acquired: true })
    await journal.append(commitOf('chat_old', 2, ['more']))
    expect(await journal.read('chat_old')).toHaveLength(3)
    await journal.remove('chat_old')
    expect(await journal.read('turn_old')).toEqual([])
    await journal.close()
  })

  it('has the tables that a new journal has', async () => {
    const fresh = join(await tempFolder(), 'journal.db')
    await (await openSqliteJournal({ path: fresh })).close()
    const tables = [fresh, await loadFixture()].map((path) => {
      const database = new DatabaseSync(path)
      const rows = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
      database.close()
      return rows.map(({ name, sql }) => `${name}: ${String(sql).replaceAll(/\s+/gu, ' ')}`)
    })

    expect(tables[0]?.length).toBeGreaterThan(5)
    expect(tables[0]).toEqual(tables[1])
  })
})

describe('a SQLite journal that was written by a newer program', () => {
  it('is not opened when its format is newer', async () => {
    const path = join(await tempFolder(), 'journal.db')
    await (await openSqliteJournal({ path })).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 2')
    database.close()

    await expect(openSqliteJournal({ path })).rejects.toMatchObject({
      problem: 'newer',
      message: expect.stringContaining(`${path} was written by a newer version of conclave`),
      hint: expect.stringContaining('Update conclave'),
    })
  })

  it('does not show a stream with a newer record, but the others', async () => {
    const path = join(await tempFolder(), 'journal.db')
    const journal = await openSqliteJournal({ path })
    await journal.append(commitOf('chat_1', 0, ['a', 'b']))
    await journal.append(commitOf('chat_2', 0, ['a']))
    const database = new DatabaseSync(path)
    database.exec("UPDATE events SET v = 2 WHERE stream = 'chat_1' AND seq = 2")
    database.close()

    expect(await problemOf(journal.read('chat_1'))).toBe('newer')
    expect(await journal.read('chat_2')).toHaveLength(1)
    await journal.close()
  })
})
