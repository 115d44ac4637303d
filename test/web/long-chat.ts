import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import type { SessionEvent } from '../../src/schema/session-event.ts'

export interface LongChat {
  folder: string
  /** The database file. */
  journal: string
  messages: number
}

/** Puts a chat of very many messages into a journal. */
export async function writeLongChat({ folder, journal: path, messages }: LongChat): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const journal = await openSqliteJournal({ path })
  const stream = 'chat_long'
  const at = '2026-01-01T00:00:00.000Z'
  const created: SessionEvent = {
    type: 'chat.created',
    chat_id: stream,
    title: 'A long chat',
    folder,
    config: { agent_mode: 'Act' },
  }
  const entry = { kind: 'chat', title: 'A long chat', folder, status: 'complete' }
  await journal.append({ stream, after: 0, at, events: [created], index: { entry } })
  const batch = 10_000
  for (let from = 0; from < messages; from += batch) {
    const events = Array.from({ length: batch }, (_, index) => message(from + index + 1))
    await journal.append({ stream, after: from + 1, at, events })
  }
  await journal.close()
}

function message(number: number): SessionEvent {
  const text = `Message ${number}. ${'It has a few words that wrap over lines. '.repeat(number % 9)}`
  const author = number % 2 ? ({ role: 'user' } as const) : ({ role: 'agent', agent_id: 'agent' } as const)
  return { type: 'message.added', message: { id: `m${number}`, ...author, message_type: 'Text', text } }
}
