import { expect, test } from 'vitest'
import { createMemoryStore, openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { toArray } from '../../src/core/list.ts'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import type { ChatId } from '../../src/schema/ids.ts'
import type { Message } from '../../src/schema/message.ts'
import { planFor, proposes } from '../support/plans.ts'
import { Program } from '../support/program.ts'
import { Workbench } from '../support/workbench.ts'

test('CHAT-2.1 every message has a message_type, which is stored and sent to every face', async () => {
  const bench = new Workbench({
    replies: [
      proposes(planFor('Make a', 'a.txt')),
      { calls: [{ name: 'shell', input: { command: 'echo hi' } }] },
      { text: '{"type": "question", "question": "Which?", "options": ["a", "b"]}' },
      { text: 'Took a.' },
    ],
  })
  await bench.run('plan', { mode: 'Plan' })
  await bench.must({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Act' })
  const turn_id = await bench.start('act', { permission: 'ask' })
  const approval = (await bench.event('pending.opened')).pending
  const yes = { kind: 'tool_approval', decision: 'once' } as const
  await bench.must({ type: 'answer_pending', turn_id, pending_id: approval.id, answer: yes, by: 'test' })
  const asked = await bench.until(
    ({ event }) => event.type === 'pending.opened' && event.pending.kind === 'question',
  )
  if (asked.event.type !== 'pending.opened') throw new Error('no question')
  const pending_id = asked.event.pending.id
  const answer = { kind: 'question', value: 'a' } as const
  await bench.must({ type: 'answer_pending', turn_id, pending_id, answer, by: 'test' })
  const chat = await bench.engine.whenIdle(bench.chat)

  const types = (messages: Message[]) => messages.map(({ role, message_type }) => `${role} ${message_type}`)
  const expected = [
    ...['user Text', 'agent Plan', 'user Text', 'agent ToolCall', 'agent Question', 'agent Text'],
  ]
  expect(types(toArray(chat.messages))).toEqual(expected)
  const added = (event: { type: string }) => event.type === 'message.added'
  const stored = (await bench.journal.read(bench.chat)).map(({ event }) => event).filter(added)
  expect(types(stored.map((event) => (event as { message: Message } & DurableEvent).message))).toEqual(
    expected,
  )
  await bench.until(({ event }) => event.type === 'message.added' && event.message.text === 'Took a.')
  const sent = bench.envelopes.map(({ event }) => event).filter(added)
  expect(sent).toEqual(stored)
})

test('CHAT-2.3 a stored message without a type is a Text message and reads as before', async () => {
  const store = createMemoryStore()
  const chat_id: ChatId = 'chat_old'
  const journal = openMemoryJournal({ store })
  const old = [
    { type: 'chat.created', chat_id, title: 'old', folder: '/' },
    { type: 'message.added', message: { id: 'm1', role: 'user', text: 'hello' } },
    { type: 'message.added', message: { id: 'm2', role: 'agent', text: 'Hello back.' } },
  ] as DurableEvent[]
  await journal.append({ stream: chat_id, after: 0, at: '2024-01-01T00:00:00.000Z', events: old })
  await journal.close()

  const bench = new Workbench({ journal: openMemoryJournal({ store }) })
  const { messages } = await bench.engine.open(chat_id)
  expect(toArray(messages)).toEqual([
    { id: 'm1', role: 'user', text: 'hello', message_type: 'Text' },
    { id: 'm2', role: 'agent', text: 'Hello back.', message_type: 'Text' },
  ])
  // Opening it rewrote nothing.
  expect((await bench.journal.read(chat_id)).map(({ event }) => event)).toEqual(old)
})

test('the type of each message is shown by sessions show and export', async () => {
  const program = new Program()
  const model = program.replies(proposes(planFor('Make a', 'a.txt')))
  await program.run(['plan', 'make a', model])
  const [chat] = (await program.run(['sessions', 'list'])).stdout.match(/chat_\w+/) ?? []
  const exported = await program.run(['sessions', 'export', chat ?? '', '--format', 'json'])
  expect(exported.stdout).toContain('"message_type":"Plan"')
})
