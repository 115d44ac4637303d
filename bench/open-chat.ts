// A chat of 5,000 messages: what opening it costs, from the database to the view that a face draws. Then one of 100,000,
// opened by its end, as the faces do.
// Run: sh scripts/node.sh bench/open-chat.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts'
import { scriptedModel } from '../src/adapters/models/scripted.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { readNewest } from '../src/client/chat-logs.ts'
import { inProcessClient } from '../src/client/in-process.ts'
import { Engine } from '../src/engine/engine.ts'
import type { Journal } from '../src/ports/journal.ts'
import type { DurableEvent } from '../src/schema/envelope.ts'
import type { ChatId, StreamId, TurnId } from '../src/schema/ids.ts'
import { builtinTools } from '../src/tools/registry.ts'
import { beginChat, foldEarlier } from '../src/view/chat-history.ts'
import { emptyChatView, foldAll } from '../src/view/chat-view.ts'
import { itemCount } from '../src/view/transcript.ts'

const TURNS = 2_500
const MANY_TURNS = 50_000
/** Of a chat of that many only the newest turns have logs: no other is read. */
const LOGS = 20

const replies = [
  ...Array.from({ length: 4 }, () => ({ calls: [{ name: 'list_directory', input: { path: '.' } }] })),
  { text: 'A database and nothing else. '.repeat(20) },
]

const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'))
const journal = await openSqliteJournal({ path: join(folder, 'journal.db') })
const chat = await makeChat(journal, { turns: TURNS, logs: TURNS })
await open('its newest 20 turns', 20)
await open('all of it', TURNS)
await openByEnd(await makeChat(journal, { turns: MANY_TURNS, logs: LOGS }))
await journal.close()
rmSync(folder, { recursive: true })

async function open(what: string, exchanges: number): Promise<void> {
  const times = { read: [] as number[], json: [] as number[], fold: [] as number[] }
  let said = ''
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    const page = await readNewest(journal, chat, exchanges)
    const read = performance.now()
    const text = JSON.stringify(page)
    JSON.parse(text)
    const sent = performance.now()
    const view = foldAll(emptyChatView, page?.envelopes ?? [])
    times.read.push(read - began)
    times.json.push(sent - read)
    times.fold.push(performance.now() - sent)
    said = `${page?.envelopes.length} events, ${(text.length / 1e6).toFixed(1)} MB, ${itemCount(view.transcript)} items`
  }
  const ms = (all: number[]) => `${all.toSorted((a, b) => a - b)[2]?.toFixed(0)} ms`
  const result = `${said}: read ${ms(times.read)}, JSON there and back ${ms(times.json)}, fold ${ms(times.fold)}`
  process.stdout.write(`${what.padEnd(22)} ${result}\n`)
}

/** Each time by an engine that has not seen the chat. */
async function openByEnd(long: ChatId): Promise<void> {
  const glances: number[] = []
  const opens: number[] = []
  let items = 0
  for (let round = 0; round < 5; round++) {
    const engine = newEngine(journal)
    const client = inProcessClient({
      engine,
      journal,
      roster: () => Promise.reject(new Error('not asked for')),
    })
    const began = performance.now()
    foldEarlier(emptyChatView, await client.glance(long, 300))
    glances.push(performance.now() - began)
    const feed = await client.open(long, { log: 300, exchanges: 20 })
    if (!feed.head) throw new Error('not opened by its end')
    const view = foldAll(foldEarlier(beginChat(long, feed.head), feed.head.log), feed.first)
    opens.push(performance.now() - began)
    items = itemCount(view.transcript)
    feed.close()
    await engine.close()
  }
  const ms = (all: number[]) => `${all.toSorted((a, b) => a - b)[2]?.toFixed(0)} ms`
  process.stdout.write(
    `${2 * MANY_TURNS} messages: the end of what was said after ${ms(glances)}, open after ${ms(opens)}, ${items} items\n`,
  )
}

function newEngine(store: Journal): Engine {
  return new Engine({
    journal: { ...store, close: async () => undefined } as Journal,
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model: scriptedModel(replies) }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
}

/** One real turn, stored again and again under other names. */
async function makeChat(
  store: Journal,
  { turns: many, logs }: { turns: number; logs: number },
): Promise<ChatId> {
  const engine = newEngine(store)
  const chat_id = engine.newChatId()
  await engine.execute({ type: 'create_chat', chat_id, folder, title: 'bench' })
  const settings = { permission: 'auto', max_iterations: 9, reflect: 'never' } as const
  await engine.execute({ type: 'send_message', chat_id, text: 'What is here?', agent_id: 'a', settings })
  const { turns } = await engine.whenIdle(chat_id)
  await engine.close()
  const turn = turns?.last as TurnId
  await store.acquire(chat_id)
  const [log, turnLog] = [await store.read(chat_id), await store.read(turn)]
  const exchange = log.slice(1)
  let after = log.length
  let waiting: DurableEvent[] = []
  for (let copy = 1; copy < many; copy++) {
    const id: TurnId = `${turn}x${copy}`
    const renamed = (events: { event: DurableEvent }[]) =>
      JSON.parse(JSON.stringify(events.map(({ event }) => event)).replaceAll(turn, id)) as DurableEvent[]
    if (copy >= many - logs) await append(store, id, 0, renamed(turnLog))
    waiting.push(...renamed(exchange))
    if (copy % 100 !== 0 && copy < many - 1) continue
    await append(store, chat_id, after, waiting)
    after += waiting.length
    waiting = []
  }
  return chat_id
}

function append(store: Journal, stream: StreamId, after: number, events: DurableEvent[]): Promise<void> {
  return store.append({ stream, after, at: new Date().toISOString(), events })
}
