// What a team costs beside its models: time for each step of an agent with 1 to 64 agents whose models answer at once,
// and the model calls and tokens of five standard courses. Run: sh scripts/node.sh bench/team.ts [most agents]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { openMemoryJournal } from '../src/adapters/journal/memory-journal.ts'
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts'
import { type ScriptedReply, scriptedModel } from '../src/adapters/models/scripted.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { openTeam } from '../src/adapters/team/open-team.ts'
import { openBlobStore } from '../src/adapters/undo/blob-store.ts'
import { coordinationFor } from '../src/core/modes/overrides.ts'
import type { RunState } from '../src/core/run/state.ts'
import { Engine } from '../src/engine/engine.ts'
import { estimateTokens } from '../src/engine/estimate-tokens.ts'
import type { Model, ModelRequest } from '../src/ports/model.ts'
import type { RunId } from '../src/schema/ids.ts'
import { builtinTools } from '../src/tools/registry.ts'

interface Spent {
  calls: number
  /** Tokens by the estimate that budgets use; `cached` is what the same agent had sent before. */
  input: number
  cached: number
  cut: number
}

interface Kind {
  journal: 'memory' | 'sqlite'
  /** Agents work in copies of a repository with 100 files. */
  copies: boolean
}

const most = Number(process.argv[2] ?? 64)
let runs = 0
const top = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-bench-team-')))
try {
  await overhead()
  await courses()
} finally {
  rmSync(top, { recursive: true, force: true })
}

async function overhead(): Promise<void> {
  const kinds = [
    { journal: 'memory', copies: false },
    { journal: 'sqlite', copies: false },
    { journal: 'memory', copies: true },
    { journal: 'sqlite', copies: true },
  ] as const
  const heads = kinds.map(({ journal, copies }) => `${journal}${copies ? ', copies' : ''}`)
  console.log(`| agents | ${heads.map((head) => `${head}: CPU | wall`).join(' | ')} |`)
  await play(agreeing(2), kinds[0])
  for (let agents = 1; agents <= most; agents *= 2) {
    const cells: string[] = []
    for (const kind of kinds) {
      // Others use the machine too: the least disturbed of three tells most.
      const tries = kind.copies ? [await measure(agents, kind)] : []
      while (!kind.copies && tries.length < 3) tries.push(await measure(agents, kind))
      const least = (pick: (one: Measured) => number): string => Math.min(...tries.map(pick)).toFixed(2)
      cells.push(`${least(({ cpu }) => cpu)} | ${least(({ wall }) => wall)}`)
    }
    console.log(`| ${agents} | ${cells.join(' | ')} |`)
  }
  console.log('milliseconds for each step\n')
}

/** Milliseconds for each model call that was begun. */
interface Measured {
  cpu: number
  wall: number
}

async function measure(agents: number, kind: Kind): Promise<Measured> {
  const before = process.cpuUsage()
  const began = performance.now()
  const { spent } = await play(agreeing(agents), kind)
  const wall = performance.now() - began
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1000 / spent.calls, wall: wall / spent.calls }
}

/** Everybody answers, then votes for the last, so that every vote is needed for as long as possible. */
function agreeing(agents: number): Record<string, ScriptedReply[]> {
  const names = Array.from({ length: agents }, (_, index) => `agent-${String(index + 1).padStart(2, '0')}`)
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      [
        answers(`Proposal number ${index + 1}.`),
        votesFor(`number ${agents}.`),
        { text: 'The final answer.' },
      ],
    ]),
  )
}

async function courses(): Promise<void> {
  const scripts: Record<string, Record<string, ScriptedReply[]>> = {
    'all agree at once': {
      a: [answers('Apple it is.'), votesFor('Banana')],
      b: [answers('Banana it is.'), votesFor('Banana'), { text: 'Banana.' }],
      c: [answers('Cherry it is.'), votesFor('Banana')],
    },
    'a majority before the last has voted': {
      a: [answers('Apple it is.'), votesFor('Banana')],
      b: [answers('Banana it is.'), votesFor('Banana'), { text: 'Banana.' }],
      c: [answers('Cherry it is.'), { ...votesFor('Cherry'), delay_ms: 3_000 }],
    },
    'one refines, then all agree': {
      a: [answers('Apple it is.'), answers('Apple pie it is.'), votesFor('pie'), { text: 'Pie.' }],
      b: [
        answers('Banana it is.'),
        { ...votesFor('Banana'), delay_ms: 60 },
        votesFor('pie'),
        votesFor('pie'),
      ],
      c: [
        answers('Cherry it is.'),
        { ...votesFor('Banana'), delay_ms: 60 },
        votesFor('pie'),
        votesFor('pie'),
      ],
    },
    'a tie, which goes to the one listed first': {
      a: [answers('Apple it is.'), votesFor('Apple'), { text: 'Apple.' }],
      b: [answers('Banana it is.'), votesFor('Banana')],
    },
    'one crashes, one says nothing': {
      a: [answers('Apple it is.'), { text: 'Apple.' }],
      b: Array.from({ length: 4 }, () => ({ text: 'I am thinking.' })),
      c: [{ fails: 'the provider hung up' }],
    },
  }
  console.log('| course | calls | cut short | input tokens | of these sent before | winner |')
  for (const [name, agents] of Object.entries(scripts)) {
    const { run, spent } = await play(agents, { journal: 'memory', copies: false })
    const { calls, cut, input, cached } = spent
    console.log(
      `| ${name} | ${calls} | ${cut} | ${input} | ${Math.round((cached / input) * 100)} % | ${run.decision?.winner} (${run.decision?.reason}) |`,
    )
  }
}

async function play(
  agents: Record<string, ScriptedReply[]>,
  { journal, copies }: Kind,
): Promise<{ run: RunState; spent: Spent }> {
  runs += 1
  const [folder, data] = [join(top, `project-${runs}`), join(top, `data-${runs}`)]
  mkdirSync(folder)
  mkdirSync(data)
  if (copies) makeRepository(folder)
  const spent: Spent = { calls: 0, input: 0, cached: 0, cut: 0 }
  const models = new Map(
    Object.entries(agents).map(([id, replies]) => [id, counting(scriptedModel(replies), spent)]),
  )
  const engine = new Engine({
    journal:
      journal === 'sqlite' ? await openSqliteJournal({ path: join(data, 'j.db') }) : openMemoryJournal(),
    clock: systemClock,
    tools: builtinTools(),
    agent: async (id) => ({ id, model: models.get(id) ?? scriptedModel([]) }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
    team: async () => openTeam({ data, blobs: openBlobStore(join(data, 'blobs')) }),
  })
  const chat_id = engine.newChatId()
  await engine.execute({
    ...{ type: 'create_chat', chat_id, folder, title: 'bench' },
    agent_mode: copies ? 'Act' : 'Plan',
  })
  const names = Object.keys(agents)
  await engine.execute({
    type: 'start_run',
    chat_id,
    text: 'Which fruit is it?',
    settings: {
      team_mode: names.length === 1 ? 'single' : 'multi',
      refinement: true,
      agents: names.map((id) => ({ id, speaks: 'tools' })),
      coordination: coordinationFor(
        { plan: !copies, team: 'multi', refinement: true, write_paths: false },
        {
          max_new_answers_per_agent: 3,
          max_new_answers_global: null,
          fairness_lead: null,
          answer_novelty_requirement: 'lenient',
          voting_sensitivity: 'lenient',
          skip_voting: false,
          disable_injection: false,
          defer_voting_until_all_answered: true,
          max_reminders: 3,
        },
      ),
      turn: { permission: 'auto', max_iterations: 15, reflect: 'never' },
      ...{ context_paths: [], evidence: [], override: 'continue', budget: {} },
      timeouts: { run_ms: 600_000, first_round_ms: null, later_round_ms: null, grace_ms: 60_000 },
    },
  })
  const { turns } = await engine.whenIdle(chat_id)
  const run = await engine.run(turns?.last as RunId)
  await engine.close()
  if (run.finished?.status !== 'complete')
    throw new Error(`the run ended ${run.finished?.status}: ${run.finished?.final_answer}`)
  return { run, spent }
}

/** Counts what is sent, and how much of it extends what the same agent sent before. */
function counting(model: Model, spent: Spent): Model {
  let last = ''
  return {
    ...model,
    async *stream(request, signal) {
      const sent = render(request)
      spent.calls += 1
      spent.input += estimateTokens(sent.length)
      spent.cached += estimateTokens(commonPrefix(last, sent))
      last = sent
      yield* model.stream(request, signal)
      if (signal.aborted) spent.cut += 1
    },
  }
}

function render({ tools, system, messages }: ModelRequest): string {
  return [JSON.stringify(tools), system, ...messages.map((message) => JSON.stringify(message))].join('\n')
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function makeRepository(folder: string): void {
  for (let index = 0; index < 100; index += 1) writeFileSync(join(folder, `file-${index}.txt`), `${index}\n`)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init')
  git('add', '.')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-m', 'start')
}

function answers(answer: string): ScriptedReply {
  return { calls: [{ name: 'new_answer', input: { answer } }] }
}

function votesFor(words: string): ScriptedReply {
  return {
    calls: [{ name: 'vote', input: { agent_id: `{{candidate:${words}}}`, reason: 'it is the best' } }],
  }
}
