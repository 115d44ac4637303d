import { expect, it } from 'vitest'
import { commitOf, describeJournal } from './journal-contract.test-support.ts'
import { createMemoryStore, openMemoryJournal } from './memory-journal.ts'

describeJournal('memory journal', async () => {
  const store = createMemoryStore()
  return {
    open: async (owner) => openMemoryJournal({ store, ...(owner === undefined ? {} : { owner }) }),
    dispose: async () => {},
  }
})

it('keeps to itself without a shared store', async () => {
  const [one, two] = [openMemoryJournal(), openMemoryJournal()]
  await one.append(commitOf('chat_1', 0, ['a']))

  expect(await one.read('chat_1')).toHaveLength(1)
  expect(await two.read('chat_1')).toEqual([])
})
