import { join } from 'node:path'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openTeam } from '../../src/adapters/team/open-team.ts'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { inProcessClient } from '../../src/client/in-process.ts'
import type { Client, Roster } from '../../src/client/client.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Model, ModelPart, ModelRequest } from '../../src/ports/model.ts'
import type { App } from '../../src/tui/app.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import { type MemoryTerminal, openScreen, teamSettings } from './screen.ts'

export interface LongSession {
  app: App
  terminal: MemoryTerminal
  client: Client
  journal: Journal
  /** One message to the agent that answers, to the end of its turn. */
  ask(text: string): Promise<void>
  /** One task for all agents. */
  askTeam(text: string): Promise<void>
  close(): Promise<void>
}

/** A real engine with its database and a screen in memory; only the models are made up: they list a folder and talk. */
export async function openLongSession(folder: string, agents: number, kept?: Journal): Promise<LongSession> {
  const ids = Array.from({ length: agents }, (_, index) => `agent${index + 1}`)
  const journal = kept ?? (await openSqliteJournal({ path: join(folder, 'journal.db') }))
  const data = join(folder, 'data')
  const blobs = openBlobStore(join(data, 'blobs'))
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model: talker }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
    team: () => openTeam({ data, blobs }),
  })
  const run = teamSettings(ids, 'multi')
  const roster: Roster = {
    version: '0',
    folder,
    agents: ids.map((id) => ({ id, model: 'talker' })),
    interactive: false,
    settings: { permission: 'auto', max_iterations: 9, reflect: 'never' },
    runs: { single_refine: run, single_quick: run, multi_refine: run, multi_quick: run },
  }
  const client = inProcessClient({ engine, journal, roster: async () => roster })
  const { app, terminal } = await openScreen({ client, roster, folder })
  const send = async (text: string, team_mode: 'single' | 'multi') => {
    const session = app.session
    if (!session) throw new Error('there is no session')
    const set = await session.execute({
      type: 'set_team',
      chat_id: app.view.chat_id,
      team_mode,
      refinement: false,
    })
    // How a message is sent depends on what the screen knows.
    while (set.accepted && app.view.config.team_mode !== team_mode) await nextRound()
    const sent = set.accepted ? await session.send(text, folder) : set
    if (!sent.accepted || !session.chat) throw new Error(`not sent: ${JSON.stringify(sent)}`)
    await engine.whenIdle(session.chat)
    while (app.view.under_way) await nextRound()
  }
  return {
    app,
    terminal,
    client,
    journal,
    ask: (text) => send(text, 'single'),
    askTeam: (text) => send(text, 'multi'),
    close: async () => {
      app.stop()
      await engine.close()
    },
  }
}

const nextRound = () => new Promise((resolve) => setImmediate(resolve))

const said = 'It reads the file **once** and keeps `lines` for later, so that memory stays flat.\n\n'

/** Lists the folder, then talks in pieces; in a team it answers, then votes for the first candidate. */
const talker: Model = {
  label: 'talker',
  context_window: 200_000,
  async *stream(request): AsyncGenerator<ModelPart> {
    const offered = new Set(request.tools.map(({ name }) => name))
    const call = nextCall(request, offered)
    for (let piece = 0; piece < 24; piece++) {
      yield { type: 'text', text: said.slice((piece * 20) % said.length, ((piece * 20) % said.length) + 20) }
      if (piece % 4 === 3) await nextRound()
    }
    if (call) yield { type: 'call', id: '0', ...call }
    yield { type: 'usage', input_tokens: 100, output_tokens: 50, cost_usd: 0.001 }
  },
}

function nextCall(
  { messages }: ModelRequest,
  offered: ReadonlySet<string>,
): { name: string; arguments: string } | undefined {
  const shown = messages.map((message) => ('text' in message ? message.text : '')).join('\n')
  const candidate = /<candidate id="([^"]+)">/.exec(shown)?.[1]
  if (candidate && offered.has('vote'))
    return { name: 'vote', arguments: JSON.stringify({ agent_id: candidate, reason: 'it came first' }) }
  if (offered.has('new_answer')) return { name: 'new_answer', arguments: JSON.stringify({ answer: said }) }
  const last = messages.at(-1)
  return last?.role === 'user' ? { name: 'list_directory', arguments: '{"path":"."}' } : undefined
}
