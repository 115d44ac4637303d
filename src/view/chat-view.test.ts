import { expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import type { ScriptedReply } from '../adapters/models/scripted.ts'
import type { Envelope } from '../schema/envelope.ts'
import { type ChatView, childTranscript, emptyChatView, foldAll, foldChat } from './chat-view.ts'
import { itemCount, itemsBetween, placeOf } from './transcript.ts'
import type { ToolCallItem, TranscriptItem } from './transcript-item.ts'

const items = ({ transcript }: ChatView): TranscriptItem[] =>
  itemsBetween(transcript, 0, itemCount(transcript))

const kinds = (view: ChatView): string[] => items(view).map(({ kind }) => kind)

/** The view without what tells in which order the logs were read. */
const shown = ({ inner: _, seen: __, ...view }: ChatView) => ({
  ...view,
  transcript: undefined,
  items: items({ inner: _, seen: __, ...view }),
})

const replies: ScriptedReply[] = [
  { text: 'Looking.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
  {
    calls: [{ name: 'update_file', input: { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] } }],
  },
  { text: 'Changed it.' },
  { text: 'Nothing else to do.' },
]

async function workedChat(): Promise<Workbench> {
  const bench = new Workbench({ files: { 'a.txt': 'one\n' }, replies })
  await bench.run('Change it')
  await bench.run('Anything else?')
  return bench
}

const stored = ({ envelopes }: Workbench): Envelope[] => envelopes.filter(({ seq }) => seq !== null)

test('a chat is shown as its messages, with the calls that led to each answer', async () => {
  const bench = await workedChat()
  const view = foldAll(emptyChatView, stored(bench))
  expect(kinds(view)).toEqual([
    ...[
      'user_message',
      'phase',
      'agent_message',
      'tool_call',
      'observation',
      'phase',
      'tool_call',
      'observation',
    ],
    ...['phase', 'agent_message', 'written_files', 'user_message', 'phase', 'agent_message'],
  ])
  const [read, update] = items(view).filter((item): item is ToolCallItem => item.kind === 'tool_call')
  expect(read).toMatchObject({ name: 'read_file', summary: 'a.txt', status: 'ok', read_only: true })
  expect(update).toMatchObject({
    name: 'update_file',
    status: 'ok',
    diff: '@@ line 1 @@\n-one\n+two\n ',
    files: [{ path: 'a.txt', change: 'modified' }],
  })
  expect(update?.output?.source).toEqual({ stream: update?.stream, call_id: update?.call.id })
  expect(view).toMatchObject({
    chat_id: bench.chat,
    folder: bench.folder,
    under_way: null,
    pendings: [],
    unread: 0,
  })
  expect(view.usage.model_calls).toBe(4)
})

test('the logs of turns may be read in any order, and twice', async () => {
  const all = stored(await workedChat())
  const chat = all.filter(({ stream }) => stream.startsWith('chat_'))
  const turns = [...new Set(all.map(({ stream }) => stream))].filter((stream) => stream.startsWith('turn_'))
  const of = (id: string) => all.filter(({ stream }) => stream === id)
  const inOrder = foldAll(emptyChatView, all)
  const backwards = foldAll(emptyChatView, [...chat, ...turns.toReversed().flatMap(of)])
  const twice = foldAll(inOrder, all)
  expect(shown(backwards)).toEqual(shown(inOrder))
  expect(twice).toBe(inOrder)
})

test('a chat whose turns have not been read shows what was said, and how much is missing', async () => {
  const all = stored(await workedChat())
  const view = foldAll(
    emptyChatView,
    all.filter(({ stream }) => stream.startsWith('chat_')),
  )
  expect(kinds(view)).toEqual(['user_message', 'agent_message', 'user_message', 'agent_message'])
  expect(view.unread).toBe(2)
})

test('what waits for a person is in the view until it is answered, on the card of its call', async () => {
  const bench = new Workbench({
    replies: [{ calls: [{ name: 'shell', input: { command: 'echo hi' } }] }, { text: 'Not then.' }],
  })
  const turn = await bench.start('Say hi', { permission: 'ask' })
  const { pending } = await bench.event('pending.opened')
  const waiting = foldAll(emptyChatView, stored(bench))
  expect(waiting.pendings).toMatchObject([{ stream: turn, agent_id: 'a', pending: { id: pending.id } }])
  expect(waiting.pendings[0]?.card.title).toContain('shell wants to run')
  expect(waiting.under_way).toMatchObject({ kind: 'turn', turn_id: turn, agent_id: 'a' })
  const card = items(waiting).find((item) => item.kind === 'tool_call')
  expect(card).toMatchObject({ status: 'waiting', pending_id: pending.id })

  const answer = { kind: 'tool_approval', decision: 'deny' } as const
  await bench.must({ type: 'answer_pending', turn_id: turn, pending_id: pending.id, answer, by: 'person' })
  await bench.engine.whenIdle(bench.chat)
  await bench.until(({ event }) => event.type === 'turn.closed')
  const done = foldAll(waiting, stored(bench))
  expect(done.pendings).toEqual([])
  const later = items(done).find((item) => item.kind === 'tool_call')
  expect(later).toMatchObject({ id: card?.id, status: 'failed' })
  expect(later?.revision).toBeGreaterThan(card?.revision ?? Infinity)
})

test('text that is being written is shown until the finished reply is there', async () => {
  const bench = await workedChat()
  let view = emptyChatView
  let most = ''
  for (const envelope of bench.envelopes) {
    view = foldChat(view, envelope)
    for (const { text } of view.live.values()) if (text.length > most.length) most = text
  }
  expect(most).toBe('Nothing else to do.')
  expect(view.live.size).toBe(0)
})

test('a sub-agent has a transcript of its own, and what it used is counted once', async () => {
  // A script goes by the replies in the conversation, so the sub-agent is given the same ones.
  const bench = new Workbench({
    replies: [{ calls: [{ name: 'explore', input: { question: 'What is here?' } }] }, { text: 'Nothing.' }],
  })
  await bench.run('What is here?')
  const view = foldAll(emptyChatView, stored(bench))
  const card = items(view).find((item): item is ToolCallItem => item.kind === 'tool_call')
  const child = card?.child
  if (!child?.startsWith('turn_')) throw new Error('the call has no turn of its own')
  const transcript = childTranscript(view, child as `turn_${string}`)
  expect(itemsBetween(transcript, 0, 9)).toMatchObject([
    { kind: 'user_message', text: expect.stringContaining('What is here?') },
    { kind: 'phase' },
    { kind: 'tool_call', status: 'failed' },
    { kind: 'observation' },
    { kind: 'phase' },
    { kind: 'agent_message', text: 'Nothing.' },
  ])
  const replied = bench.turnEvents().filter(({ type }) => type === 'model.replied')
  expect(view.usage.model_calls).toBe(replied.length)
})

test('a price that is unknown leaves the total unknown', async () => {
  const bench = await workedChat()
  const { usage } = foldAll(emptyChatView, stored(bench))
  const known = bench
    .turnEvents()
    .every((event) => event.type !== 'model.replied' || event.reply.usage.cost_usd !== undefined)
  expect(usage.cost_usd === undefined).toBe(!known)
})

test('one can jump to a turn', async () => {
  const bench = await workedChat()
  const view = foldAll(emptyChatView, stored(bench))
  const { last } = (await bench.engine.open(bench.chat)).turns ?? {}
  const place = placeOf(view.transcript, last ?? '')
  expect(items(view)[place ?? -1]).toMatchObject({ kind: 'user_message', text: 'Anything else?' })
})
