import { expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import { beginChat, foldEarlier } from '../view/chat-history.ts'
import { type ChatView, emptyChatView, foldAll, foldChat } from '../view/chat-view.ts'
import { itemAt, itemCount, itemsBetween, placeOf } from '../view/transcript.ts'
import { readLogBefore } from './chat-logs.ts'
import type { ChatFeed, Roster } from './client.ts'
import { inProcessClient } from './in-process.ts'

const roster = async (): Promise<Roster> => Promise.reject(new Error('not asked for'))
const clientOf = ({ engine, journal }: Workbench) => inProcessClient({ engine, journal, roster })

const items = ({ transcript }: ChatView) => itemsBetween(transcript, 0, itemCount(transcript))

function begin(bench: Workbench, feed: ChatFeed): ChatView {
  if (!feed.head) throw new Error('not opened by its end')
  return foldAll(foldEarlier(beginChat(bench.chat, feed.head), feed.head.log), feed.first)
}

async function chatOf(turns: number): Promise<Workbench> {
  const bench = new Workbench({
    files: { 'a.txt': 'a\n' },
    replies: Array.from({ length: turns }, (_, turn) => ({ text: `Answer ${turn}.` })),
  })
  for (let turn = 0; turn < turns; turn++) await bench.run(`Question ${turn}`)
  return bench
}

test('a chat opened by its end and read to its beginning is the chat as it is', async () => {
  const bench = await chatOf(8)
  const whole = foldAll(
    emptyChatView,
    bench.envelopes.filter(({ seq }) => seq !== null),
  )
  const client = clientOf(bench)
  const feed = await client.open(bench.chat, { log: 3, exchanges: 1 })
  let view = begin(bench, feed)
  expect(view).toMatchObject({ title: whole.title, config: whole.config, under_way: null })
  expect(items(view).length).toBeLessThan(items(whole).length / 2)
  expect(items(view)).toEqual(items(whole).slice(-items(view).length))
  expect(view.context_tokens).toBe(whole.context_tokens)

  const sizes: number[] = []
  while (feed.unread_log > 0) {
    const log = await feed.earlier(5)
    sizes.push(log.length)
    view = foldEarlier(view, log)
  }
  expect(sizes.length).toBeGreaterThan(2)
  // In any order, and into parts that were put before.
  while (feed.unread.length > 0) view = foldAll(view, await feed.older(3))
  expect(items(view)).toEqual(items(whole))
  expect([view.unread, view.usage]).toEqual([0, whole.usage])
  expect(placeOf(view.transcript, turnOf(bench, 3))).toBe(placeOf(whole.transcript, turnOf(bench, 3)))
  expect(itemAt(view.transcript, 0)).toEqual(items(whole)[0])
  expect(await feed.earlier()).toEqual([])
  feed.close()
})

const turnOf = ({ envelopes }: Workbench, index: number): string =>
  envelopes.flatMap(({ event }) => (event.type === 'turn.opened' ? [event.turn_id] : []))[index] ?? ''

test('what happens after a chat was opened by its end goes on from there', async () => {
  const bench = await chatOf(3)
  const feed = await clientOf(bench).open(bench.chat, { log: 1, exchanges: 0 })
  let view = begin(bench, feed)
  const before = items(view).length
  await bench.run('One more')
  for await (const envelope of feed) {
    view = foldChat(view, envelope)
    if (envelope.event.type === 'turn.closed') break
  }
  expect(items(view).slice(before)[0]).toMatchObject({ kind: 'user_message', text: 'One more' })
  view = foldEarlier(view, await feed.earlier(100))
  expect(items(view).filter(({ kind }) => kind === 'user_message')).toHaveLength(4)
})

test('a turn under way is in the first part, however short it was asked for', async () => {
  const bench = new Workbench({
    replies: [
      { text: 'First.' },
      { calls: [{ name: 'shell', input: { command: 'rm -r x' } }] },
      { text: 'Done.' },
    ],
  })
  await bench.run('Hello')
  const turn_id = await bench.start('Remove it', { permission: 'ask' })
  await bench.event('pending.opened')
  const feed = await clientOf(bench).open(bench.chat, { log: 1 })
  const view = begin(bench, feed)
  expect(view.under_way).toMatchObject({ kind: 'turn', turn_id })
  expect(view.pendings).toHaveLength(1)
  expect(items(view)[0]).toMatchObject({ kind: 'user_message', text: 'Remove it' })
  feed.close()
})

test('a part of the log never begins within a turn', async () => {
  const bench = await chatOf(6)
  const last = await bench.journal.last(bench.chat)
  for (let before = last + 1; before > 1;) {
    const log = await readLogBefore(bench.journal, bench.chat, before, 2)
    const [first] = log
    expect(log.at(-1)?.seq).toBe(before - 1)
    expect(['chat.created', 'message.added']).toContain(first?.event.type)
    before = first?.seq ?? 0
  }
})

test('all chats are told first, then those that change', async () => {
  const bench = await chatOf(1)
  const stop = new AbortController()
  const changes = clientOf(bench).watchChats(stop.signal)[Symbol.asyncIterator]()
  const { chat, folder } = bench
  expect((await changes.next()).value).toMatchObject({ all: true, changed: [{ chat_id: chat }], removed: [] })
  const other = bench.engine.newChatId()
  await bench.must({ type: 'create_chat', chat_id: other, folder, title: 'other' })
  expect((await changes.next()).value).toMatchObject({ changed: [{ chat_id: other, title: 'other' }] })
  stop.abort()
  expect(await changes.next()).toMatchObject({ done: true })
})
