import { acpAgent } from '../../src/adapters/acp/acp-agent.ts'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import type { Tether } from '../../src/adapters/mcp/server-process.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { Engine } from '../../src/engine/engine.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import { fixture } from './fixture-path.ts'

// A process of ours with a turn of an agent under way, to be killed. Prints the chat's id.

const [path = '', folder = '', home = '', tether = 'bwrap', prompt = ''] = process.argv.slice(2)
const model = acpAgent({
  command: [process.execPath, fixture, home, 'deaf'],
  label: 'fixture',
  tether: tether as Tether,
})
const engine = new Engine({
  journal: await openSqliteJournal({ path }),
  clock: systemClock,
  tools: builtinTools(),
  agent: async (id) => ({ id, model }),
  files: openFiles,
  shell: localShell(),
  platform: process.platform,
})
const chat_id = engine.newChatId()
await engine.execute({ type: 'create_chat', chat_id, folder, title: 'killed' })
await engine.execute({
  type: 'send_message',
  chat_id,
  text: prompt,
  agent_id: 'a',
  settings: { permission: 'auto', max_iterations: 15, reflect: 'never' },
})
process.stdout.write(`${chat_id}\n`)
await engine.whenIdle(chat_id)
