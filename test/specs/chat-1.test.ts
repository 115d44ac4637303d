import { expect, test } from 'vitest'
import { createMemoryStore, openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { recordingModel, temporaryJournal } from '../../src/engine/engine.test-support.ts'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import type { ChatId } from '../../src/schema/ids.ts'
import { Workbench } from '../support/workbench.ts'

const chat_id: ChatId = 'chat_old'

/** A chat as an older or broken program left it in the journal. */
async function openStored(config: object) {
  const store = createMemoryStore()
  const first = openMemoryJournal({ store })
  const created = { type: 'chat.created', chat_id, title: 'old', folder: '/', ...config } as DurableEvent
  await first.append({ stream: chat_id, after: 0, at: '2024-01-01T00:00:00.000Z', events: [created] })
  await first.close()
  const bench = new Workbench({ journal: openMemoryJournal({ store }) })
  const { config: read, warning } = await bench.engine.open(chat_id)
  return { agent_mode: read.agent_mode, warning }
}

test('CHAT-1.1 the config of a chat has agent_mode: Act for new and old chats, kept across sessions', async () => {
  const { path, journal } = await temporaryJournal()
  const bench = new Workbench({ journal, replies: [{ text: 'Hello.' }] })
  await bench.run('hello')
  expect((await bench.engine.open(bench.chat)).config).toEqual({ agent_mode: 'Act' })
  expect((await bench.journal.read(bench.chat))[0]?.event).toMatchObject({ config: { agent_mode: 'Act' } })
  await bench.must({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Plan' })
  await bench.engine.close()
  const again = new Workbench({ journal: await openSqliteJournal({ path }) })
  expect((await again.engine.open(bench.chat)).config).toEqual({ agent_mode: 'Plan' })

  for (const config of [{}, { config: {} }, { config: { agent_mode: 'Act' } }])
    expect(await openStored(config)).toEqual({ agent_mode: 'Act', warning: undefined })
  expect(await openStored({ config: { agent_mode: 'Plan' } })).toMatchObject({ agent_mode: 'Plan' })
})

test.each([
  { config: { agent_mode: 'act' } },
  { config: { agent_mode: '' } },
  { config: { agent_mode: null } },
  { config: { agent_mode: ['Act'] } },
  { config: null },
  { config: 'Act' },
  { config: ['Act'] },
])('a stored mode that is neither opens as Plan, with a warning: %j', async (config) => {
  const { agent_mode, warning } = await openStored(config)
  expect(agent_mode).toBe('Plan')
  expect(warning).toContain('is unknown; it was opened in Plan mode')
})

test('CHAT-1.2 switching the mode is stored and binds the very next message', async () => {
  const { model, requests } = recordingModel(scriptedModel([{ text: 'Hello.' }]))
  const bench = new Workbench({ model })
  await bench.run('one')
  for (const agent_mode of ['Plan', 'Act', 'Plan'] as const) {
    await bench.must({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode })
    const stored = await bench.journal.read(bench.chat)
    expect(stored.at(-1)?.event).toEqual({ type: 'chat_config.changed', config: { agent_mode } })
    const { settings } = await bench.run(`in ${agent_mode}`)
    expect(settings.mode).toBe(agent_mode)
    expect(requests.at(-1)?.system).toContain(`You are in ${agent_mode.toUpperCase()} mode`)
  }
})
