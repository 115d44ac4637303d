import { crc32 } from 'node:zlib'
import { JournalError } from '../../ports/journal.ts'
import { ENVELOPE_VERSION, type DurableEvent, type StoredEnvelope } from '../../schema/envelope.ts'
import type { StreamId } from '../../schema/ids.ts'

/** The columns of an event as they come out of the database: possibly anything, if the file was damaged. */
export type StoredRecord = [seq: unknown, v: unknown, at: unknown, body: unknown, sum: unknown]

export function checksum(stream: string, seq: number, v: number, at: string, body: string): number {
  return crc32(`${stream}\n${seq}\n${v}\n${at}\n${body}`)
}

/** Checks and opens one record; `expected` is the sequence number that must come next. */
export function decodeRecord(
  path: string,
  stream: StreamId,
  expected: number,
  record: StoredRecord,
): StoredEnvelope {
  const [seq, v, at, body, sum] = record
  if (seq !== expected) throw damagedRecord(path, stream, expected, 'is missing')
  if (typeof v === 'number' && v > ENVELOPE_VERSION) {
    throw new JournalError(
      'newer',
      `${path}: event ${seq} of ${stream} was written by a newer version of conclave`,
      'Update conclave, then open it again.',
    )
  }
  const typed = typeof v === 'number' && typeof at === 'string' && typeof body === 'string'
  if (!typed || checksum(stream, seq, v, at, body) !== sum) {
    throw damagedRecord(path, stream, expected, 'does not match its checksum')
  }
  try {
    return { v, stream, seq, at, event: JSON.parse(body) as DurableEvent }
  } catch {
    throw damagedRecord(path, stream, expected, 'is not readable JSON')
  }
}

export function damagedRecord(path: string, stream: StreamId, seq: number, what: string): JournalError {
  return new JournalError(
    'damaged',
    `${path} is damaged: event ${seq} of ${stream} ${what}`,
    'Restore the file from a backup. Nothing was changed, and what is not damaged can still be opened.',
  )
}
