// What is kept in memory: after 2,000 turns of one chat, by a command that prints 100 MB, and by a team of 24.
// Run: sh scripts/node.sh bench/memory.ts [turns]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { Engine } from '../src/engine/engine.ts'
import type { Model } from '../src/ports/model.ts'
import type { ChatId } from '../src/schema/ids.ts'
import { builtinTools } from '../src/tools/registry.ts'
import { measure } from './support/measure.ts'
import { modelServer } from './support/model-server.ts'

const TURNS = Number(process.argv[2] ?? 2_000)
const TEAM = 24
const settings = { permission: 'auto', max_iterations: 9, reflect: 'never' } as const

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const base = mkdtempSync(join(tmpdir(), 'conclave-bench-memory-'))
const folder = join(base, 'project')
mkdirSync(folder)
try {
  await manyTurns()
  await largeOutput()
  await team()
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function manyTurns(): Promise<void> {
  const engine = await openEngine(looking)
  const chat = await newChat(engine)
  let before = heapMb()
  for (let turn = 1; turn <= TURNS; turn++) {
    await say(engine, chat, `What is here now, for the ${turn}th time?`)
    if (turn % Math.ceil(TURNS / 4) !== 0) continue
    const now = heapMb()
    console.log(`after ${turn} turns: heap ${now.toFixed(1)} MB, ${(now - before).toFixed(1)} more`)
    before = now
  }
  await engine.close()
}

async function largeOutput(): Promise<void> {
  const engine = await openEngine(printing)
  const chat = await newChat(engine)
  await say(engine, chat, 'Print little.')
  const before = process.resourceUsage().maxRSS / 1024
  const stored = journalMb()
  await say(engine, chat, 'Print 100 MB.')
  const peak = process.resourceUsage().maxRSS / 1024
  console.log(
    `a command that prints 100 MB: peak ${(peak - before).toFixed(0)} MB more, journal ${(journalMb() - stored).toFixed(1)} MB more`,
  )
  await engine.close()
}

/** The program itself, whole: each agent looks at three files and answers. */
async function team(): Promise<void> {
  const server = await modelServer()
  for (const count of [1, TEAM]) {
    const home = join(base, `home-${count}`)
    mkdirSync(join(home, '.config/conclave'), { recursive: true })
    const backend = `{ type: openai_compatible, base_url: '${server.address}/v1', model: m }`
    const agents = Array.from({ length: count }, (_, index) => `  - id: a${index}\n    backend: ${backend}\n`)
    writeFileSync(join(home, '.config/conclave/config.yaml'), `agents:\n${agents.join('')}`)
    const asked = server.begin(3)
    const args = [
      '-p',
      'look',
      count > 1 ? '--multi' : '--single',
      '--no-refine',
      '--permission-mode',
      'auto',
    ]
    const launcher = join(import.meta.dirname, '../bin/conclave')
    const { memory_mb, code, output } = await measure([launcher, ...args, '--on-pending', 'approve'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: home },
      scratch: base,
    })
    const end = code === 0 ? '' : ` (exit code ${code}: ${output.trim().slice(0, 200)})`
    console.log(`${count} agents, ${asked.requests.length} requests: ${memory_mb.toFixed(0)} MB${end}`)
  }
  server.close()
}

type Script = (
  messages: readonly unknown[],
  last: string,
) => { call?: { name: string; input: object }; text?: string }

function looking(_: readonly unknown[], last: string): ReturnType<Script> {
  return last === 'user'
    ? { call: { name: 'list_directory', input: { path: '.' } } }
    : { text: 'Nothing new. '.repeat(30) }
}

function printing(messages: readonly unknown[], last: string): ReturnType<Script> {
  if (last !== 'user') return { text: 'Printed.' }
  const command = JSON.stringify(messages.at(-1)).includes('100 MB')
    ? "head -c 100000000 /dev/zero | tr '\\0' x | fold -w 100"
    : 'echo little'
  return { call: { name: 'shell', input: { command, timeout_ms: 120_000 } } }
}

async function openEngine(script: Script): Promise<Engine> {
  const model: Model = {
    label: 'script',
    context_window: 200_000,
    async *stream({ messages }) {
      const { call, text } = script(messages, messages.at(-1)?.role ?? '')
      if (text) yield { type: 'text', text }
      if (call)
        yield {
          type: 'call',
          id: `c${messages.length}`,
          name: call.name,
          arguments: JSON.stringify(call.input),
        }
      yield { type: 'usage', input_tokens: 1, output_tokens: 1 }
    },
  }
  return new Engine({
    journal: await openSqliteJournal({ path: join(base, 'journal.db') }),
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
}

async function newChat(engine: Engine): Promise<ChatId> {
  const chat_id = engine.newChatId()
  await engine.execute({ type: 'create_chat', chat_id, folder, title: 'bench' })
  return chat_id
}

async function say(engine: Engine, chat_id: ChatId, text: string): Promise<void> {
  const sent = await engine.execute({ type: 'send_message', chat_id, text, agent_id: 'a', settings })
  if (!sent.accepted) throw new Error(sent.reason)
  await engine.whenIdle(chat_id)
}

function heapMb(): number {
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

function journalMb(): number {
  const files = readdirSync(base).filter((name) => name.startsWith('journal.db'))
  return files.reduce((total, name) => total + statSync(join(base, name)).size, 0) / 1e6
}
