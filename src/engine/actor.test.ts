import { expect, test } from 'vitest'
import { storeChat } from '../../test/support/stored-chat.ts'
import { Workbench, temporaryFolder } from '../../test/support/workbench.ts'
import { openMemoryJournal } from '../adapters/journal/memory-journal.ts'
import { lengthOf } from '../core/list.ts'

test('a log that is longer than what is read at a time is read whole', async () => {
  const journal = openMemoryJournal()
  const folder = temporaryFolder()
  const chat = await storeChat(journal, folder, 600)
  const last = await journal.last(chat)
  expect(last).toBeGreaterThan(2_000)
  const { engine } = new Workbench({ journal, folder, replies: [{ text: 'Here.' }] })
  const { state, seq } = await engine.head(chat)
  expect(seq).toBe(last)
  expect([lengthOf(state.turns), lengthOf(state.messages)]).toEqual([600, 1200])
})
