import { expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import { emptyChatView, foldAll } from '../view/chat-view.ts'
import { itemCount } from '../view/transcript.ts'
import type { ChatFeed, Roster } from './client.ts'
import { inProcessClient } from './in-process.ts'

const roster = async (): Promise<Roster> => {
  throw new Error('not asked for')
}

const clientOf = ({ engine, journal }: Workbench) => inProcessClient({ engine, journal, roster })

/** Everything a feed gives until the chat's turn is closed so many times. */
async function collect(feed: ChatFeed, closed: number): Promise<Envelope[]> {
  const all = [...feed.first]
  const isDone = () => all.filter(({ event }) => event.type === 'turn.closed').length >= closed
  if (isDone()) return all
  for await (const envelope of feed) {
    all.push(envelope)
    if (isDone()) break
  }
  feed.close()
  return all
}

const positions = (envelopes: Envelope[]): string[] =>
  envelopes.flatMap(({ stream, seq }) => (seq === null ? [] : [`${stream}:${seq}`]))

const replies = [
  { calls: [{ name: 'explore', input: { question: 'What is here?' } }] },
  { text: 'Nothing.' },
  { text: 'Still nothing.' },
]

test('a feed gives every stored envelope of the chat once, wherever one comes in', async () => {
  const bench = new Workbench({ replies, files: { 'a.txt': 'a' } })
  const client = clientOf(bench)
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const feeds: Promise<Envelope[]>[] = [collect(await client.open(bench.chat), 2)]
  const running = bench.run('What is here?')
  for (let joined = 0; joined < 20; joined++) {
    feeds.push(collect(await client.open(bench.chat), 2))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await running
  await bench.run('And now?')
  const expected = positions(bench.envelopes)
  for (const seen of await Promise.all(feeds)) {
    expect(positions(seen).toSorted()).toEqual(expected.toSorted())
    const view = foldAll(emptyChatView, seen)
    expect(itemCount(view.transcript)).toBe(itemCount(foldAll(emptyChatView, bench.envelopes).transcript))
  }
})

test('envelopes of other chats are not given', async () => {
  const bench = new Workbench({ replies: [{ text: 'Hi.' }] })
  const client = clientOf(bench)
  await bench.run('Hello')
  const feed = await client.open(bench.chat)
  const other = bench.engine.newChatId()
  await bench.must({ type: 'create_chat', chat_id: other, folder: bench.folder, title: 'other' })
  await bench.run('Again')
  const seen = await collect(feed, 2)
  expect(seen.some(({ stream }) => stream === other)).toBe(false)
  expect((await client.chats()).map(({ chat_id }) => chat_id).toSorted()).toEqual(
    [bench.chat, other].toSorted(),
  )
  expect(await client.search('again')).toMatchObject([{ chat_id: bench.chat }])
})

test('a long chat is opened by its newest turns, and older ones are read when asked for', async () => {
  const bench = new Workbench({ replies: Array.from({ length: 6 }, () => ({ text: 'Yes.' })) })
  for (let turn = 0; turn < 6; turn++) await bench.run(`Question ${turn}`)
  const client = clientOf(bench)
  const feed = await client.open(bench.chat, { exchanges: 2 })
  const opened = foldAll(emptyChatView, feed.first)
  expect([opened.unread, feed.unread.length]).toEqual([4, 4])
  const older = await feed.older(3)
  expect([foldAll(opened, older).unread, feed.unread.length]).toEqual([1, 1])
  const whole = foldAll(foldAll(opened, older), await feed.older())
  const inOrder = foldAll(
    emptyChatView,
    bench.envelopes.filter(({ seq }) => seq !== null),
  )
  expect(itemCount(whole.transcript)).toBe(itemCount(inOrder.transcript))
  expect(whole.usage).toEqual(inOrder.usage)
  expect(await feed.older()).toEqual([] satisfies StoredEnvelope[])
  feed.close()
})

test('a chat that does not exist cannot be opened', async () => {
  const bench = new Workbench({})
  await expect(clientOf(bench).open('chat_nope')).rejects.toMatchObject({ status: 404 })
})
