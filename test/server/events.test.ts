import { type Socket, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatFeed } from '../../src/client/client.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import { emptyChatView, foldAll } from '../../src/view/chat-view.ts'
import { itemCount } from '../../src/view/transcript.ts'
import { streamingModel } from './streaming-model.ts'
import { type TestServer, startServer } from './support.ts'

/** Everything a feed gives until so many turns are closed. */
async function collect(feed: ChatFeed, closed: number): Promise<Envelope[]> {
  const all = [...feed.first]
  // Each log comes in order, but one may be ahead of the other after a lost connection.
  const ends = (type: string) => all.filter(({ event }) => event.type === type).length
  const isDone = () => ends('turn.closed') >= closed && ends('turn.finished') >= closed
  if (isDone()) return all
  for await (const envelope of feed) {
    all.push(envelope)
    if (isDone()) break
  }
  feed.close()
  return all
}

const positions = (envelopes: Envelope[]): string[] =>
  envelopes.flatMap(({ stream, seq }) => (seq === null ? [] : [`${stream}:${seq}`])).toSorted()

const steps = Array.from({ length: 30 }, (_, step) => ({
  calls: [{ name: 'read_file', input: { path: 'a.txt', offset: step } }],
}))

test('a client sees every stored event once, however often the connection is lost', async () => {
  const { bench, server, client } = await startServer({
    replies: [...steps, { text: 'Done.' }],
    files: { 'a.txt': 'a\n'.repeat(50) },
  })
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const feeds = await Promise.all([client().open(bench.chat), client().open(bench.chat)])
  const states: string[] = []
  for (const feed of feeds) feed.onConnection = (state) => states.push(state)
  const seen = feeds.map((feed) => collect(feed, 1))
  const cutting = setInterval(() => server.streams.closeAll(), 20)
  onTestFinished(() => clearInterval(cutting))
  await bench.run('Read it all', { max_iterations: 50 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  clearInterval(cutting)
  for (const envelopes of await Promise.all(seen)) {
    expect(positions(envelopes)).toEqual(positions(bench.envelopes))
    const view = foldAll(emptyChatView, envelopes)
    expect(itemCount(view.transcript)).toBe(itemCount(foldAll(emptyChatView, bench.envelopes).transcript))
  }
  expect(states).toContain('reconnecting')
})

test('two people watch one chat: the first answer wins, and the other sees it', async () => {
  const { bench, client } = await startServer({
    replies: [{ calls: [{ name: 'shell', input: { command: 'echo hi' } }] }, { text: 'Said.' }],
  })
  const [one, two] = [client(), client()]
  const roster = await one.roster()
  const chat_id = await one.newChatId()
  const must = async (client: typeof one, command: Parameters<typeof one.execute>[0]) =>
    expect(await client.execute(command)).toEqual({ accepted: true })
  await must(one, { type: 'create_chat', chat_id, folder: bench.folder, title: 'Say hi' })
  const watching = collect(await two.open(chat_id), 1)
  await must(one, { type: 'send_message', chat_id, text: 'Say hi', agent_id: 'a', settings: roster.settings })
  const { stream, event } = await bench.until(({ event }) => event.type === 'pending.opened')
  if (event.type !== 'pending.opened' || event.pending.kind !== 'tool_approval') throw new Error('not asked')
  const { id: pending_id, hash } = event.pending
  const turn_id = stream as `turn_${string}`
  const reply = (by: string, decision: 'once' | 'deny') =>
    ({
      type: 'answer_pending',
      turn_id,
      pending_id,
      by,
      answer: { kind: 'tool_approval', decision, hash },
    }) as const
  const results = await Promise.all([one.execute(reply('one', 'once')), two.execute(reply('two', 'deny'))])
  expect(results.filter(({ accepted }) => accepted)).toHaveLength(1)
  const seen = await watching
  const answers = seen.filter((envelope) => envelope.event.type === 'pending.answered')
  expect(answers).toHaveLength(1)
  expect(answers[0]?.event).toMatchObject({ by: results[0]?.accepted ? 'one' : 'two' })
  expect(foldAll(emptyChatView, seen).pendings).toEqual([])
  expect(await one.chats()).toMatchObject([{ chat_id, title: 'Say hi' }])
  expect(await two.search('say')).toMatchObject([{ chat_id }])
  expect((await two.read(chat_id, 1))[0]?.seq).toBe(2)
})

test('older turns are paged in over the connection, too', async () => {
  const { bench, client } = await startServer({
    replies: Array.from({ length: 5 }, () => ({ text: 'Yes.' })),
  })
  for (let turn = 0; turn < 5; turn++) await bench.run(`Question ${turn}`)
  const feed = await client().open(bench.chat, { exchanges: 1 })
  expect([feed.unread.length, new Set(feed.first.map(({ stream }) => stream)).size]).toEqual([4, 2])
  const view = foldAll(foldAll(emptyChatView, feed.first), await feed.older(10))
  expect([view.unread, feed.unread.length, view.usage.model_calls]).toEqual([0, 0, 5])
})

test('long texts come whole, however they are cut into pieces', async () => {
  const text = `x${'😀'.repeat(3_000)}${'é'.repeat(501)}`
  const { bench, client } = await startServer({
    replies: [{ text }],
    serve: { limits: { chunk: 256 } },
  })
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const seen = collect(await client().open(bench.chat), 1)
  await bench.run('Smile')
  const said = (await seen).flatMap(({ event }) => (event.type === 'model.replied' ? [event.reply.text] : []))
  expect(said).toEqual([text])
})

test('a plain reader goes on by sequence number, or by the last id it was sent', async () => {
  const { bench, ask } = await startServer({ replies: [{ text: 'Hi.' }] })
  await bench.run('Hello')
  const all = await readEvents(ask, `stream=${bench.chat}&after=0`)
  expect(positions(all.envelopes)).toEqual(positions(bench.envelopes))
  const after = await readEvents(ask, `stream=${bench.chat}&after=${lastSeq(bench, bench.chat) - 1}`)
  expect(after.envelopes.map(({ event }) => event.type)).toEqual(['turn.closed'])
  const nothing = await readEvents(ask, `stream=${bench.chat}`, { 'last-event-id': all.id })
  expect(nothing.envelopes).toEqual([])
  for (const wrong of ['stream=chat_1&after=x', 'stream=../x', 'stream=chat_1&cursor=chat_1', 'after=1']) {
    expect([wrong, (await ask(`/api/events?${wrong}`)).status]).toEqual([wrong, 400])
  }
})

test('24: 100 clients that never read or half-close keep little in memory and slow nobody down', async () => {
  const running = await startServer({ model: streamingModel({ pieces: 3_000, size: 2_000 }) })
  const { bench, server, client } = running
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const reader = collect(await client().open(bench.chat), 1)
  await Promise.all(Array.from({ length: 100 }, (_, index) => deaf(running, index % 2 === 0)))
  // Those that close their side are let go at once.
  await until(() => server.streams.size === 51)
  const before = retained()
  await bench.run('Write a lot')
  const seen = await reader
  const kept = retained() - before
  expect(positions(seen)).toEqual(positions(bench.envelopes))
  expect(server.streams.size).toBeGreaterThanOrEqual(50)
  // Each is sent some 24 MB. This test itself keeps 80 MB of it.
  expect(kept).toBeLessThan(200_000_000)
}, 60_000)

test('24: a client that never reads is cut off, and can come back to where it was', async () => {
  const running = await startServer({
    model: streamingModel({ pieces: 3_000, size: 2_000 }),
    serve: { limits: { stall_ms: 1_000, heartbeat_ms: 500 } },
  })
  const { bench, server, client } = running
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const sockets = await Promise.all([deaf(running, false), deaf(running, false)])
  await until(() => server.streams.size === 2)
  await bench.run('Write a lot')
  await until(() => server.streams.size === 0)
  for (const socket of sockets) socket.destroy()
  const again = await collect(await client().open(bench.chat), 1)
  expect(positions(again)).toEqual(positions(bench.envelopes))
}, 60_000)

test('what is under way when the server stops goes on when it is opened again', async () => {
  const { bench, server, client } = await startServer({
    replies: [{ calls: [{ name: 'shell', input: { command: 'echo hi' } }] }, { text: 'Said.' }],
  })
  const turn = await bench.start('Say hi', { permission: 'ask' })
  await bench.event('pending.opened')
  const feed = await client().open(bench.chat)
  const iterating = (async () => {
    for await (const envelope of feed) void envelope
  })()
  await server.close()
  feed.close()
  await iterating
  expect((await bench.engine.turn(turn)).pendings).toHaveLength(1)
  expect((await bench.engine.open(bench.chat)).open_turn?.turn_id).toBe(turn)
})

const lastSeq = ({ envelopes }: TestServer['bench'], stream: string): number =>
  Math.max(...envelopes.flatMap((envelope) => (envelope.stream === stream ? [envelope.seq ?? 0] : [])))

/** What is sent up to the point where the client has everything. */
async function readEvents(
  ask: TestServer['ask'],
  query: string,
  headers: Record<string, string> = {},
): Promise<{ envelopes: Envelope[]; id: string }> {
  const stop = new AbortController()
  const response = await ask(`/api/events?${query}`, { headers, signal: stop.signal })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  const reader = response.body?.getReader()
  while (!text.includes('event: ready')) text += new TextDecoder().decode((await reader?.read())?.value)
  stop.abort()
  return {
    envelopes: Array.from(
      text.matchAll(/^data: (\{"v".*)$/gm),
      ([, json]) => JSON.parse(json ?? '') as Envelope,
    ),
    id: /^id: (.*)$/m.exec(text)?.[1] ?? '',
  }
}

/** Asks for the events and never takes any. */
function deaf({ server, bench }: TestServer, halfClose: boolean): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      const lines = [
        `GET /api/events?stream=${bench.chat} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        `authorization: Bearer ${server.token}`,
      ]
      const request = `${lines.join('\r\n')}\r\n\r\n`
      if (halfClose) socket.end(request)
      else socket.write(request)
      resolve(socket)
    })
    socket.pause()
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Bytes that are still in use. */
function retained(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
