import { type MemoryStore, openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { type Journal, JournalError } from '../../src/ports/journal.ts'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import type { StreamId } from '../../src/schema/ids.ts'
import type { Fate, Life } from './scheduler.ts'

/** An event as it reached the journal, in the order of all streams. */
export interface Stored {
  stream: StreamId
  seq: number
  at: string
  step: number
  life: number
  event: DurableEvent
}

export interface JournalWorld {
  store: MemoryStore
  ticket: (label: string) => Promise<Fate>
  onStored: (stored: Omit<Stored, 'step' | 'life'>) => void
}

/** The memory journal, behind tickets, with the faults that the scheduler decides on. */
export function simulatedJournal({ store, ticket, onStored }: JournalWorld, life: Life): Journal {
  const memory = openMemoryJournal({ store, owner: `process ${life.number}` })
  return {
    ...memory,
    async append(commit) {
      const { stream, after, at, events } = commit
      const fate = await ticket(`append ${stream} ${events.map(({ type }) => type).join()}`)
      if (fate === 'fail') throw new JournalError('full', 'there is no space left', 'make room and try again')
      await memory.append(commit)
      events.forEach((event, index) => onStored({ stream, seq: after + index + 1, at, event }))
      if (fate === 'die_stored') await new Promise(() => undefined)
    },
    async read(stream, after) {
      await ticket(`read ${stream}`)
      return memory.read(stream, after)
    },
    async acquire(stream) {
      await ticket(`acquire ${stream}`)
      return memory.acquire(stream)
    },
  }
}
