// A chat of 5,000 messages: what opening it costs, from the database to the view that a face draws.
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
import { Engine } from '../src/engine/engine.ts'
import type { Journal } from '../src/ports/journal.ts'
import type { DurableEvent } from '../src/schema/envelope.ts'
import type { ChatId, StreamId, TurnId } from '../src/schema/ids.ts'
import { builtinTools } from '../src/tools/registry.ts'
import { emptyChatView, foldAll } from '../src/view/chat-view.ts'
import { itemCount } from '../src/view/transcript.ts'

const TURNS = 2_500

const replies = [
  ...Array.from({ length: 4 }, () => ({ calls: [{ name: 'list_directory', input: { path: '.' } }] })),
  { text: 'A database and nothing else. '.repeat(20) },
]

const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'))
const journal = await openSqliteJournal({ path: join(folder, 'journal.db') })
const chat = await makeChat(journal)
await open('its newest 20 turns', 20)
await open('all of it', TURNS)
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

/** One real turn, stored again and again under other names. */
async function makeChat(store: Journal): Promise<ChatId> {
  const engine = new Engine({
    journal: { ...store, close: async () => undefined } as Journal,
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model: scriptedModel(replies) }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
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
  for (let copy = 1; copy < TURNS; copy++) {
    const id: TurnId = `${turn}x${copy}`
    const renamed = (events: { event: DurableEvent }[]) =>
      JSON.parse(JSON.stringify(events.map(({ event }) => event)).replaceAll(turn, id)) as DurableEvent[]
    await append(store, id, 0, renamed(turnLog))
    await append(store, chat_id, after, renamed(exchange))
    after += exchange.length
  }
  return chat_id
}

function append(store: Journal, stream: StreamId, after: number, events: DurableEvent[]): Promise<void> {
  return store.append({ stream, after, at: new Date().toISOString(), events })
}
