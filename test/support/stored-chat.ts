import { openFiles } from '../../src/adapters/files/gateway.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import type { ChatId, TurnId } from '../../src/schema/ids.ts'
import { builtinTools } from '../../src/tools/registry.ts'

/** Stands for the number of the turn, in everything that is said and done. */
const NUMBER = 'NUMBER'

const replies = [
  { calls: [{ name: 'create_file', input: { path: 'notes.txt', content: 'old\n' } }] },
  {
    calls: [
      {
        name: 'update_file',
        input: { path: 'notes.txt', edits: [{ old_text: 'old', new_text: `line ${NUMBER}` }] },
      },
    ],
  },
  { text: `Answer ${NUMBER}.`, usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.01 } },
]

/** Puts a chat of many turns into a journal: one real turn, again and again under other names. */
export async function storeChat(journal: Journal, folder: string, turns: number): Promise<ChatId> {
  const { chat, log, turn, turnLog } = await oneTurn(folder)
  await journal.acquire(chat)
  const at = new Date().toISOString()
  const created = log.slice(0, 1)
  const exchange = JSON.stringify(log.slice(1))
  await journal.append({ stream: chat, after: 0, at, events: created, index: entryOf(folder) })
  let after = created.length
  for (let number = 0; number < turns; number++) {
    const id: TurnId = `${turn}x${String(number).padStart(6, '0')}`
    const renamed = (json: string) => JSON.parse(json.replaceAll(turn, id).replaceAll(NUMBER, `${number}`))
    await journal.append({ stream: id, after: 0, at, events: renamed(JSON.stringify(turnLog)) })
    const events = renamed(exchange) as DurableEvent[]
    await journal.append({ stream: chat, after, at, events: withIds(events, number) })
    after += events.length
  }
  await journal.release(chat)
  return chat
}

const entryOf = (folder: string) => ({
  entry: { kind: 'chat' as const, title: 'stored', folder, status: 'complete' },
})

/** Messages are counted through a chat. */
const withIds = (events: DurableEvent[], number: number): DurableEvent[] =>
  events.map((event) =>
    event.type === 'message.added'
      ? {
          ...event,
          message: { ...event.message, id: `m${2 * number + (event.message.role === 'user' ? 1 : 2)}` },
        }
      : event,
  )

async function oneTurn(folder: string) {
  const journal = openMemoryJournal()
  const engine = new Engine({
    journal: { ...journal, close: async () => undefined },
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model: scriptedModel(replies) }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
  const chat = engine.newChatId()
  await engine.execute({ type: 'create_chat', chat_id: chat, folder, title: 'stored' })
  const settings = { permission: 'auto', max_iterations: 9, reflect: 'never' } as const
  await engine.execute({
    type: 'send_message',
    chat_id: chat,
    text: `Question ${NUMBER}`,
    agent_id: 'agent1',
    settings,
  })
  const { turns } = await engine.whenIdle(chat)
  await engine.close()
  const turn = turns?.last as TurnId
  const eventsOf = async (stream: ChatId | TurnId) => (await journal.read(stream)).map(({ event }) => event)
  return { chat, log: await eventsOf(chat), turn, turnLog: await eventsOf(turn) }
}
