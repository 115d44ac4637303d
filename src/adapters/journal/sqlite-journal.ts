import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { JournalError, type Commit, type Entry, type Hit, type Journal } from '../../ports/journal.ts'
import type { StoredEnvelope } from '../../schema/envelope.ts'
import type { StreamId } from '../../schema/ids.ts'
import { doomedStreams } from './doomed-streams.ts'
import { prepareDatabase } from './prepared-database.ts'
import { currentOwner, livingOwner, type ProcessOwner } from './process-owner.ts'
import { searchWords, toFtsQuery } from './search-words.ts'
import { openDatabase } from './sqlite-database.ts'
import { explain, toJournalError } from './sqlite-error.ts'
import { eraseStream, storeCommit } from './sqlite-records.ts'
import { SQL } from './sqlite-statements.ts'
import { damagedRecord, decodeRecord, type StoredRecord } from './stored-record.ts'

export interface SqliteJournalOptions {
  /** The database file. It and the folders above it are created for this user alone. */
  path: string
  /** What other processes call this one; `process <pid>` without it. */
  owner?: string
  /** How long to wait, in milliseconds, for a program that has the file locked. */
  busyTimeout?: number
}

export async function openSqliteJournal(options: SqliteJournalOptions): Promise<Journal> {
  const path = resolve(options.path)
  try {
    return journalOn(openDatabase(path, options.busyTimeout ?? 5000), path, options.owner)
  } catch (error) {
    throw toJournalError(error, path)
  }
}

/** The journal over an open database, which it closes in the end. */
export function journalOn(opened: DatabaseSync, path: string, label?: string): Journal {
  const database = prepareDatabase(opened)
  /** The fence of each stream this journal acquired. Another process may hold a later one: every commit compares. */
  const held = new Map<StreamId, number>()
  let identity: ProcessOwner | undefined
  let closed = false

  const self = (): ProcessOwner => (identity ??= currentOwner(label))

  function attempt<T>(work: () => T): T {
    if (closed) throw explain('unavailable', path, 'this journal was closed')
    try {
      return work()
    } catch (error) {
      throw toJournalError(error, path)
    }
  }

  /** Returns the stream's new fence. */
  function takeOver(stream: StreamId): number {
    const acquiredAt = new Date().toISOString()
    return database.run(SQL.replaceOwner, stream, JSON.stringify(self()), acquiredAt).lastInsertRowid
  }

  /** A process that is gone counts as nobody. */
  function holderOf(stream: StreamId): Holder {
    const row = database.first(SQL.owner, stream) as
      | { fence: number; owner: string; last_sign: string }
      | undefined
    if (!row) return { who: 'nobody' }
    if (row.fence === held.get(stream)) return { who: 'us' }
    const name = livingOwner(row.owner, self(), row.last_sign)
    return name === undefined ? { who: 'nobody' } : { who: 'other', name }
  }

  /** Lets a commit pass or throws. Returns a fence if the commit makes this journal the owner of a new stream. */
  function admit({ stream, after }: Commit): number | undefined {
    const { last, fence } = database.first(SQL.head, stream, stream) as { last: number; fence: number | null }
    if (fence !== null && fence !== held.get(stream)) {
      const holder = holderOf(stream)
      const name = holder.who === 'other' ? holder.name : 'a process that is gone'
      throw explain('not_owner', path, `${stream} belongs to ${name}`)
    }
    if (last !== after) {
      throw explain('conflict', path, `${stream} is at event ${last}, the writer had seen ${after}`)
    }
    if (fence !== null) return undefined
    if (after === 0) return takeOver(stream)
    throw explain('not_owner', path, `${stream} was not acquired before writing`)
  }

  /** Inside a transaction, so that the events and their number belong together. */
  function readStream(stream: StreamId, after: number, limit: number): StoredEnvelope[] {
    const envelopes: StoredEnvelope[] = []
    const next = (): number => after + 1 + envelopes.length
    try {
      for (const record of database.rows(SQL.events, stream, after, limit)) {
        envelopes.push(decodeRecord(path, stream, next(), record as StoredRecord))
      }
    } catch (error) {
      const problem = error instanceof JournalError ? undefined : toJournalError(error, path)
      const unreadable = problem instanceof JournalError && problem.problem === 'damaged'
      throw unreadable ? damagedRecord(path, stream, next(), `cannot be read (${String(error)})`) : error
    }
    const { last } = database.first(SQL.head, stream, stream) as { last: number }
    const isWhole = limit === EVERYTHING || envelopes.length < limit
    if (last >= next() && isWhole) throw damagedRecord(path, stream, next(), 'is missing')
    if (envelopes.length > 0 && last < next() - 1) {
      throw damagedRecord(path, stream, last + 1, 'is beyond the end of the stream')
    }
    return envelopes
  }

  /** Inside a transaction: removes the stream with all that lives through it, unless somebody works on any of it. */
  function removeTree(stream: StreamId): Set<StreamId> {
    const doomed = doomedStreams(stream, {
      childrenOf: (parent) => database.all(SQL.children, parent).map((row) => row['child'] as StreamId),
      parentsOf: (child) => database.all(SQL.parents, child).map((row) => row['parent'] as StreamId),
    })
    for (const each of doomed) {
      const holder = holderOf(each)
      if (holder.who === 'other') throw inUse(path, each, holder.name)
    }
    for (const each of doomed) eraseStream(database, each)
    return doomed
  }

  return {
    async append(commit) {
      const bodies = commit.events.map((event) => JSON.stringify(event))
      attempt(() => {
        const fence = database.transact(() => {
          const taken = admit(commit)
          storeCommit(database, commit, bodies)
          return taken
        })
        if (fence !== undefined) held.set(commit.stream, fence)
      })
    },

    async read(stream, after = 0, limit) {
      return attempt(() => database.snapshot(() => readStream(stream, after, limit ?? EVERYTHING)))
    },

    async last(stream) {
      return attempt(() => (database.first(SQL.head, stream, stream) as { last: number }).last)
    },

    async list(kind) {
      return attempt(() => database.all(SQL.entries, kind).map((row) => ({ ...row }) as object as Entry))
    },

    async entry(stream) {
      return attempt(() => {
        const row = database.first(SQL.entry, stream)
        return row && ({ ...row } as object as Entry)
      })
    },

    async search(typed, limit) {
      return attempt(() => {
        const words = searchWords(typed)
        if (words.length === 0) return []
        const rows = database.all(SQL.search, toFtsQuery(words), limit)
        return rows.map((row) => ({ ...row }) as object as Hit)
      })
    },

    async remove(stream) {
      attempt(() => {
        for (const removed of database.transact(() => removeTree(stream))) held.delete(removed)
      })
    },

    async acquire(stream) {
      return attempt(() => {
        // Who owns a stream means nothing after a power cut: all owners are gone.
        const holder = database.transactSoon(() => {
          const found = holderOf(stream)
          return found.who === 'nobody' ? { who: 'us' as const, fence: takeOver(stream) } : found
        })
        if (holder.who === 'other') return { acquired: false, owner: holder.name }
        if ('fence' in holder) held.set(stream, holder.fence)
        return { acquired: true }
      })
    },

    async release(stream) {
      attempt(() => {
        const fence = held.get(stream)
        if (fence === undefined) return
        database.transactSoon(() => database.run(SQL.deleteOwner, fence))
        held.delete(stream)
      })
    },

    async close() {
      if (closed) return
      closed = true
      try {
        if (held.size > 0) {
          database.transactSoon(() => held.forEach((fence) => database.run(SQL.deleteOwner, fence)))
        }
      } catch {
        // What could not be released is free as soon as this process is gone.
      }
      database.close()
    },
  }
}

/** A limit that is none, in SQLite's words. */
const EVERYTHING = -1

type Holder = { who: 'nobody' } | { who: 'us' } | { who: 'other'; name: string }

function inUse(path: string, stream: StreamId, owner: string): JournalError {
  return new JournalError(
    'locked',
    `${path}: ${stream} cannot be removed, ${owner} is working on it`,
    `Close it there (${owner}), then remove it.`,
  )
}
