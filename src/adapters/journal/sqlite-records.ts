import type { Commit, IndexChange } from '../../ports/journal.ts'
import { ENVELOPE_VERSION } from '../../schema/envelope.ts'
import type { StreamId } from '../../schema/ids.ts'
import type { PreparedDatabase } from './prepared-database.ts'
import { SQL } from './sqlite-statements.ts'
import { checksum } from './stored-record.ts'

/** Writes a commit's events and what they change in the index. Part of a transaction. */
export function storeCommit(database: PreparedDatabase, commit: Commit, bodies: string[]): void {
  const { stream, after, at, index = {} } = commit
  bodies.forEach((body, position) => {
    const seq = after + 1 + position
    const sum = checksum(stream, seq, ENVELOPE_VERSION, at, body)
    database.run(SQL.insertEvent, stream, seq, ENVELOPE_VERSION, at, body, sum)
  })
  if (bodies.length > 0) database.run(SQL.setHead, stream, after + bodies.length)
  if (index.entry) storeEntry(database, stream, at, index.entry)
  else database.run('UPDATE entries SET updated_at = ? WHERE stream = ?', at, stream)
  for (const text of index.texts ?? []) {
    const row = database.run('INSERT INTO texts (stream, at, text) VALUES (?, ?, ?)', stream, at, text)
    database.run('INSERT INTO texts_index (rowid, text) VALUES (?, ?)', row.lastInsertRowid, text)
  }
  for (const child of index.links ?? []) {
    database.run('INSERT OR IGNORE INTO links (parent, child) VALUES (?, ?)', stream, child)
  }
}

/** Deletes all there is of a stream. Part of a transaction. */
export function eraseStream(database: PreparedDatabase, stream: StreamId): void {
  database.run('DELETE FROM events WHERE stream = ?', stream)
  database.run('DELETE FROM heads WHERE stream = ?', stream)
  database.run('DELETE FROM entries WHERE stream = ?', stream)
  database.run(SQL.unindexTexts, stream)
  database.run('DELETE FROM texts WHERE stream = ?', stream)
  database.run('DELETE FROM links WHERE parent = ?', stream)
  database.run('DELETE FROM links WHERE child = ?', stream)
  database.run('DELETE FROM owners WHERE stream = ?', stream)
}

function storeEntry(
  database: PreparedDatabase,
  stream: StreamId,
  at: string,
  { kind, title, folder, status }: NonNullable<IndexChange['entry']>,
): void {
  const created = [stream, kind, title ?? '', folder ?? '', status ?? '', at, at]
  database.run(SQL.upsertEntry, ...created, title ?? null, folder ?? null, status ?? null)
}
