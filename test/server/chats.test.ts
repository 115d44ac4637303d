import { expect, test } from 'vitest'
import type { ChatChanges } from '../../src/client/client.ts'
import { beginChat, foldEarlier } from '../../src/view/chat-history.ts'
import { emptyChatView, foldAll } from '../../src/view/chat-view.ts'
import { itemCount, itemsBetween } from '../../src/view/transcript.ts'
import { startServer } from './support.ts'

test('a chat can be opened by its end over the connection, and read back to its beginning', async () => {
  const { bench, client, ask } = await startServer({
    replies: Array.from({ length: 6 }, () => ({ text: 'Yes.' })),
  })
  for (let turn = 0; turn < 6; turn++) await bench.run(`Question ${turn}`)
  const feed = await client().open(bench.chat, { log: 2, exchanges: 1 })
  if (!feed.head) throw new Error('not opened by its end')
  let view = foldAll(foldEarlier(beginChat(bench.chat, feed.head), feed.head.log), feed.first)
  expect(feed.head.log.length).toBeLessThan(8)
  expect(await client().glance(bench.chat, 2)).toEqual(feed.head.log)
  while (feed.unread_log > 0) view = foldEarlier(view, await feed.earlier(4))
  while (feed.unread.length > 0) view = foldAll(view, await feed.older(2))
  const whole = foldAll(emptyChatView, bench.envelopes)
  const shown = ({ transcript }: typeof view) => itemsBetween(transcript, 0, itemCount(transcript))
  expect(shown(view)).toEqual(shown(whole))
  for (const wrong of ['before=-1', 'before=x', 'limit=1.5'])
    expect([wrong, (await ask(`/api/chats/${bench.chat}/log?${wrong}`)).status]).toEqual([wrong, 400])
  feed.close()
})

test('chats that change are told over the connection; all of them again when it was lost', async () => {
  const { bench, server, client } = await startServer({ replies: [{ text: 'Yes.' }] })
  await bench.run('Hello')
  const stop = new AbortController()
  const changes = client().watchChats(stop.signal)[Symbol.asyncIterator]()
  expect((await changes.next()).value).toMatchObject({ all: true, changed: [{ chat_id: bench.chat }] })
  const other = bench.engine.newChatId()
  await bench.must({ type: 'create_chat', chat_id: other, folder: bench.folder, title: 'other' })
  expect((await changes.next()).value).toMatchObject({ changed: [{ chat_id: other }], removed: [] })
  server.streams.closeAll()
  const again = (await changes.next()).value as ChatChanges
  expect([again.all, again.changed.length]).toEqual([true, 2])
  stop.abort()
  expect(await changes.next()).toMatchObject({ done: true })
})
