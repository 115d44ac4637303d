import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { JournalError, type JournalProblem } from '../../ports/journal.ts'

/** What went wrong, in the journal's terms. Anything that is not the world's doing comes back as it is: a bug. */
export function toJournalError(error: unknown, path: string): unknown {
  if (error instanceof JournalError || !(error instanceof Error)) return error
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  if (code === 'ERR_SQLITE_ERROR' && errcode !== undefined) {
    // Extended result codes keep the primary one in the low byte.
    return explain(problemOfSqlite(errcode & 0xff, path), path, error.message)
  }
  // A number no JavaScript number can hold: we never write one.
  if (code === 'ERR_OUT_OF_RANGE') return explain('damaged', path, error.message)
  const problem = code === undefined ? undefined : problemOfSystem(code)
  return problem ? explain(problem, path, error.message) : error
}

export function explain(problem: JournalProblem, path: string, detail: string): JournalError {
  const [what, hint] = WORDS[problem]
  return new JournalError(problem, `${path} ${what}: ${detail}`, hint)
}

const ELSEWHERE = 'or choose another folder with --data-dir.'

const WORDS: Record<JournalProblem, [what: string, hint: string]> = {
  conflict: ['was written to by somebody else', 'Open the chat again to go on from what is stored.'],
  not_owner: ['is written to by another process', 'Go on there, or close it there and open the chat again.'],
  newer: ['was written by a newer version of conclave', 'Update conclave, then open it again.'],
  full: [
    'cannot grow, no space is left',
    `Free some space there and try again, ${ELSEWHERE} What was stored before is intact.`,
  ],
  read_only: ['cannot be written', `Make the file and its folder writable for you, ${ELSEWHERE}`],
  locked: [
    'is in use',
    'Close the program that holds it (a backup or a database browser, for example) and try again.',
  ],
  damaged: ['is damaged', `Restore the file from a backup, or move it away to start with an empty one.`],
  unavailable: ['cannot be used', `Check that the path is right and that you may use it, ${ELSEWHERE}`],
}

function problemOfSqlite(primary: number, path: string): JournalProblem {
  switch (primary) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'locked'
    case 8: // SQLITE_READONLY
      return 'read_only'
    case 10: // SQLITE_IOERR: the shared memory beside the file fails this way on a full disk
      return isFull(path) ? 'full' : 'unavailable'
    case 13: // SQLITE_FULL
      return 'full'
    case 14: // SQLITE_CANTOPEN: also when the files beside it cannot be created
      return isReadOnly(path) ? 'read_only' : isFull(path) ? 'full' : 'unavailable'
    case 1: // SQLITE_ERROR: our own statements do not fit the tables
    case 11: // SQLITE_CORRUPT
    case 19: // SQLITE_CONSTRAINT: there is an event where the stream was said to end
    case 26: // SQLITE_NOTADB
      return 'damaged'
    default:
      return 'unavailable'
  }
}

function problemOfSystem(code: string): JournalProblem | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full'
    case 'EROFS':
      return 'read_only'
    case 'EACCES':
    case 'EPERM':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'EIO':
    case 'EMFILE':
    case 'ENFILE':
      return 'unavailable'
    default:
      return undefined
  }
}

function isFull(path: string): boolean {
  try {
    return statfsSync(dirname(path)).bavail === 0
  } catch {
    return false
  }
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
  } catch {
    return false
  }
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return false
  } catch {
    return true
  }
}
