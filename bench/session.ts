// A long interactive session: from opening it to its first request. Run: sh scripts/node.sh bench/session.ts
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { isRejected } from '../src/core/aggregate.ts'
import type { SessionInput } from '../src/core/session/input.ts'
import { session } from '../src/core/session/session.ts'
import type { TurnInput } from '../src/core/turn/input.ts'
import { turn } from '../src/core/turn/turn.ts'
import { Engine } from '../src/engine/engine.ts'
import { project } from '../src/engine/project.ts'
import type { IndexChange, Journal } from '../src/ports/journal.ts'
import type { Compaction } from '../src/schema/compaction.ts'
import type { DurableEvent } from '../src/schema/envelope.ts'
import type { StreamId, TurnId } from '../src/schema/ids.ts'
import type { LaunchSettings } from '../src/schema/launch.ts'
import type { ToolTraits, TurnSettings } from '../src/schema/turn-event.ts'
import { launchRun } from '../src/tools/launch-run.ts'
import { builtinTools } from '../src/tools/registry.ts'

const MESSAGES = 5_000
const RUNS = 40
/** About as many as fit below the threshold: right before the next summary. */
const RECENT = 120
const CHAT = 'chat_long'
const settings = { permission: 'auto', max_iterations: 15, reflect: 'never' } as const
const launch: LaunchSettings = {
  require_approval: false,
  agents: [{ id: 'a' }],
  max_new_answers_per_agent: 3,
}

const [path, threshold] = process.argv.slice(2)
if (path) await measure(path, Number(threshold))
else await compare()

/** Each figure comes from a process that has done nothing else. */
async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-session-'))
  try {
    for (const compacted of [true, false]) {
      const journal = join(folder, `${compacted}.db`)
      const events = await build(journal, compacted)
      const size = (statSync(journal).size / 1e6).toFixed(0)
      const load = loadavg()[0]?.toFixed(1)
      console.log(`${MESSAGES} messages, ${RUNS} runs, ${events} events, ${size} MB, load ${load}`)
      console.log(compacted ? `summarised up to the last ${RECENT} exchanges:` : 'never summarised:')
      for (let round = 0; round < 5; round++) {
        const { stdout, stderr } = spawnSync(
          process.execPath,
          [import.meta.filename, journal, compacted ? '100000' : '0'],
          { encoding: 'utf8' },
        )
        process.stdout.write(`  ${stdout || stderr}`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(path: string, threshold_tokens: number): Promise<void> {
  const began = performance.now()
  const spent = process.cpuUsage()
  const asked = Promise.withResolvers<{ at: number; messages: number }>()
  const journal = await openSqliteJournal({ path })
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: [...builtinTools(), launchRun],
    agent: async (id) => ({
      id,
      model: {
        label: 'counts',
        async *stream({ messages }) {
          asked.resolve({ at: performance.now(), messages: messages.length })
          yield { type: 'text', text: 'Here I am.' }
        },
      },
    }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
    interactive: { orchestrator: { agents: [], require_approval: false }, launch },
    ...(threshold_tokens > 0 && {
      compaction: { enabled: true, threshold_tokens, preserve_recent: 10 },
    }),
  })
  await engine.open(CHAT)
  const opened = performance.now()
  await engine.execute({ type: 'send_message', chat_id: CHAT, text: 'go on', agent_id: 'conclave', settings })
  const { at, messages } = await asked.promise
  const memory = (process.memoryUsage().rss / 1e6).toFixed(0)
  const { user, system } = process.cpuUsage(spent)
  const [open, first, cpu] = [opened - began, at - began, (user + system) / 1000].map((ms) => ms.toFixed(0))
  console.log(
    `open ${open} ms, first request ${first} ms (${cpu} ms of CPU) with ${messages} messages, ${memory} MB`,
  )
  await engine.close()
}

/** What a session of this length leaves behind, decided by the same rules. */
async function build(path: string, compacted: boolean): Promise<number> {
  const journal = await openSqliteJournal({ path })
  const tools: ToolTraits[] = [...builtinTools(), launchRun].map(({ name, read_only, launches }) => ({
    name,
    read_only,
    ...(launches && { launches }),
  }))
  const whole: TurnSettings = { ...settings, mode: 'Act', tools, launch }
  let state = session.initial
  const log: DurableEvent[] = []
  const send = (input: SessionInput) => {
    const events = session.decide(state, input)
    if (isRejected(events)) throw new Error(events.rejected)
    for (const event of events) state = session.evolve(state, event)
    log.push(...events)
  }
  send({ type: 'create', chat_id: CHAT, folder: '/tmp', title: 'long', config: { agent_mode: 'Act' } })
  const turns = MESSAGES / 2
  let total = 0
  for (let number = 1; number <= turns; number++) {
    const turn_id: TurnId = `turn_${number}`
    const text = `Question ${number}: what does this part of the program do, and why is it there?`
    const answer = `Answer ${number}. ${'It reads the file, checks what is in it and passes it on. '.repeat(8)}`
    send({ type: 'send_message', text, turn: { turn_id, agent_id: 'conclave', settings: whole } })
    const events = turnEvents(turn_id, { text, answer, settings: whole, runs: number % (turns / RUNS) === 0 })
    total += events.length
    await store(journal, turn_id, events)
    const ended = { turn_id, agent_id: 'conclave', outcome: 'complete', grants: [], steps: [] } as const
    send({ type: 'turn_ended', ...ended, answer })
  }
  if (compacted) log.push({ type: 'session.compacted', ...summary(turns - RECENT) })
  await store(journal, CHAT, log)
  await journal.close()
  return total + log.length
}

function turnEvents(
  turn_id: TurnId,
  about: { text: string; answer: string; settings: TurnSettings; runs: boolean },
): DurableEvent[] {
  let state = turn.initial
  const log: DurableEvent[] = []
  const send = (input: TurnInput) => {
    const events = turn.decide(state, input)
    if (isRejected(events)) throw new Error(events.rejected)
    for (const event of events) state = turn.evolve(state, event)
    log.push(...events)
  }
  const usage = { input_tokens: 1_000, output_tokens: 100, model_calls: 1 }
  const who = { turn_id, chat_id: CHAT, agent_id: 'conclave' } as const
  send({
    type: 'start',
    started: { type: 'turn.started', ...who, prompt: about.text, settings: about.settings },
  })
  const call = about.runs
    ? { id: '1', name: 'launch_run', input: { task: about.text, agent_mode: 'single' } }
    : { id: '1', name: 'read_file', input: { path: 'src/main.ts' } }
  send({ type: 'model_replied', reply: { text: '', calls: [call], usage } })
  const output = 'const line = "of a file, or of the result of a run"\n'.repeat(20)
  const call_id = state.open[0]?.call.id ?? ''
  send({ type: 'tool_finished', call_id, success: true, output, duration_ms: 5 })
  send({ type: 'model_replied', reply: { text: about.answer, calls: [], usage } })
  return log
}

function summary(exchanges: number): Compaction {
  return {
    agent_id: 'conclave',
    through: `turn_${exchanges}`,
    exchanges,
    tokens_before: 1_000_000,
    threshold_tokens: 100_000,
    summary: 'The person asked about every part of the program. '.repeat(40),
    kept: { agent_mode: 'Act', pendings: [], runs: [] },
    tokens_after: 8_000,
    usage: { input_tokens: 1, output_tokens: 1, model_calls: 1 },
  }
}

async function store(journal: Journal, stream: StreamId, events: DurableEvent[]): Promise<void> {
  const changes = events.map((event) => project(event))
  const index: IndexChange = {
    ...(stream === CHAT && { entry: { kind: 'chat', title: 'long', folder: '/tmp', status: 'complete' } }),
    texts: changes.flatMap((change) => change?.texts ?? []),
    links: changes.flatMap((change) => change?.links ?? []),
  }
  await journal.append({ stream, after: 0, at: new Date().toISOString(), events, index })
}
