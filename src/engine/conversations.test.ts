import { expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import type { Journal } from '../ports/journal.ts'
import type { Compaction } from '../schema/compaction.ts'
import type { StreamId } from '../schema/ids.ts'
import { noUsage } from '../schema/usage.ts'
import { Conversations } from './conversations.ts'

/** The journal, and what was read of it. */
function counted(journal: Journal): { journal: Journal; reads: StreamId[] } {
  const reads: StreamId[] = []
  return {
    reads,
    journal: {
      ...journal,
      read: (stream, ...rest) => {
        reads.push(stream)
        return journal.read(stream, ...rest)
      },
    },
  }
}

test('what was let go of is read again and is the same; the rest is not read twice', async () => {
  const bench = new Workbench({ replies: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] })
  await bench.run('first')
  const second = await bench.run('second')
  const chat = await bench.engine.open(bench.chat)
  const third = await bench.run('third')
  const { journal, reads } = counted(bench.journal)
  const conversations = new Conversations(journal)
  const before = structuredClone(await conversations.read(chat, third))
  expect(before.messages.length).toBeGreaterThan(4)

  reads.length = 0
  conversations.forget(second.turn_id)
  expect(await conversations.read(chat, third)).toEqual(before)
  expect(reads).toEqual([second.turn_id])

  conversations.forget('run_other')
  expect(await conversations.read(chat, third)).toEqual(before)
  expect(reads).toEqual([second.turn_id])
})

test('what a summary stands for is not kept', async () => {
  const bench = new Workbench({ replies: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] })
  const first = await bench.run('first')
  await bench.run('second')
  const whole = await bench.engine.open(bench.chat)
  const third = await bench.run('third')
  const { journal, reads } = counted(bench.journal)
  const conversations = new Conversations(journal)
  const before = structuredClone(await conversations.read(whole, third))
  const compaction: Compaction = {
    ...{ agent_id: 'a', through: first.turn_id, exchanges: 1, tokens_before: 10, tokens_after: 5 },
    ...{ summary: 'They greeted.', kept: { agent_mode: 'Act', pendings: [], runs: [] }, usage: noUsage },
  }
  const shorter = await conversations.read({ ...whole, compaction }, third)
  expect(JSON.stringify(shorter.messages)).toContain('They greeted.')

  reads.length = 0
  expect(await conversations.read(whole, third)).toEqual(before)
  expect(reads).toEqual([first.turn_id])
})
