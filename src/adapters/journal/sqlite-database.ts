import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { JournalError } from '../../ports/journal.ts'
import { loadSqlite } from './load-sqlite.ts'

/** The version this program writes; kept in the file's `user_version`. */
export const SCHEMA_VERSION = 1

/** "CNCL": tells our files from other SQLite files. */
const APPLICATION_ID = 0x434e434c

/**
 * Opens the file, creating it and the folders above it for this user alone. An existing file costs one statement and is
 * not written to. Write-ahead log with a sync per commit: what was committed survives a power cut.
 */
export function openDatabase(path: string, busyTimeout: number): DatabaseSync {
  createFile(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { timeout: busyTimeout })
  try {
    database.exec('PRAGMA synchronous = FULL')
    const found = inspect(database)
    if (found.version === 0 && found.tables === 0) createSchema(database)
    else if (found.application !== APPLICATION_ID || found.version < 1) throw foreign(path)
    else if (found.version > SCHEMA_VERSION) throw newer(path, found.version)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function inspect(database: DatabaseSync): { version: number; application: number; tables: number } {
  // One statement, so that a file which another process is just creating is seen before or after, not in between.
  const row = database
    .prepare(
      `SELECT (SELECT user_version FROM pragma_user_version) AS version,
        (SELECT application_id FROM pragma_application_id) AS application,
        (SELECT count(*) FROM sqlite_schema) AS tables`,
    )
    .get()
  return row as { version: number; application: number; tables: number }
}

function createSchema(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  // Another process may have been faster.
  if (inspect(database).version === 0) database.exec(SCHEMA)
  database.exec('COMMIT')
}

/**
 * Events keep to one b-tree, so that a commit writes few pages. The number of a stream's last event is kept apart from
 * them: a lookup in a damaged b-tree may just find less. Fences come from AUTOINCREMENT: no number is ever given
 * out twice, also not after a release. Changing anything here takes a new SCHEMA_VERSION.
 */
const SCHEMA = `
CREATE TABLE events (
  stream TEXT NOT NULL, seq INTEGER NOT NULL, v INTEGER NOT NULL DEFAULT 1,
  at TEXT NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE heads (
  stream TEXT NOT NULL PRIMARY KEY, last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
  stream TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, folder TEXT NOT NULL,
  status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE links (
  parent TEXT NOT NULL, child TEXT NOT NULL,
  PRIMARY KEY (parent, child)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_child ON links (child);
CREATE TABLE texts (
  id INTEGER PRIMARY KEY, stream TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX texts_by_stream ON texts (stream);
CREATE VIRTUAL TABLE texts_index USING fts5(
  text, content = 'texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE owners (
  fence INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
  acquired_at TEXT NOT NULL
) STRICT;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`

function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    createFolder(dirname(path))
    closeSync(openSync(path, 'a', 0o600))
  }
}

/**
 * Like a recursive mkdir, which reports a read-only disk as ENOENT and syncs nothing. SQLite syncs the folder its file
 * is in; a folder that is itself new must be on disk as well.
 */
function createFolder(folder: string): void {
  const parent = dirname(folder)
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || parent === folder) throw error
    createFolder(parent)
    return createFolder(folder)
  }
  // Windows does not open folders as files.
  if (process.platform === 'win32') return
  const handle = openSync(parent, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function newer(path: string, version: number): JournalError {
  return new JournalError(
    'newer',
    `${path} was written by a newer version of conclave (format ${version}, this one knows ${SCHEMA_VERSION})`,
    'Update conclave, then open it again.',
  )
}

function foreign(path: string): JournalError {
  return new JournalError(
    'damaged',
    `${path} is an SQLite file, but not a journal of conclave`,
    'Choose another folder with --data-dir, or restore the file from a backup.',
  )
}
