import { createMemoryStore } from '../../src/adapters/journal/memory-journal.ts'
import type { RunInput } from '../../src/core/run/input.ts'
import { run } from '../../src/core/run/run.ts'
import type { RunState } from '../../src/core/run/state.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Shell } from '../../src/ports/shell.ts'
import type { ChatId, RunId } from '../../src/schema/ids.ts'
import type { RunEvent } from '../../src/schema/run-event.ts'
import { createFile } from '../../src/tools/create-file.ts'
import { deleteFile } from '../../src/tools/delete-file.ts'
import { readFile } from '../../src/tools/read-file.ts'
import { teamTools } from '../../src/tools/registry.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { CONTEXT, Disk, FOLDER, type RecordedWrite, diskFiles } from './disk.ts'
import { type Acknowledged, Person } from './person.ts'
import { randomOf } from './random.ts'
import { type Fault, type Interference, type Moment, type Scenario, scenarioOf } from './scenario.ts'
import { EPOCH, type Fate, type Life, Scheduler, type Ticket } from './scheduler.ts'
import { type Stored, simulatedJournal } from './sim-journal.ts'
import { type RecordedCall, simulatedAgent } from './sim-model.ts'
import { emptyStore, simulatedTeam } from './team-parts.ts'

/** What came of a seed: everything the invariants look at. */
export interface History {
  scenario: Scenario
  ended: 'done' | 'stuck' | 'endless'
  /** All streams, in the order of storing. */
  stored: Stored[]
  calls: RecordedCall[]
  writes: RecordedWrite[]
  acknowledged: Acknowledged[]
  /** Virtual milliseconds in which no process was there. */
  down_ms: number
  lives: number
  steps: number
  /** Errors that nobody caught. */
  strays: string[]
  /** The state that the last decision of the run was made on, as the live process had it. */
  lastSeen: { state: RunState; seq: number } | undefined
  /** What was left when all was over. */
  left: { workspaces: number; busy: boolean }
  trace: string[]
}

export interface WorldOptions {
  trace?: boolean
  /** Changed scenarios, for tests of one thing. */
  scenario?: (scenario: Scenario) => Scenario
}

const CHAT: ChatId = 'chat_simulated'

/** One seed from its first message to its end, with the real engine in a world where nothing is left to chance. */
export async function simulate(seed: number, options: WorldOptions = {}): Promise<History> {
  const drawn = scenarioOf(seed)
  const world = new World(options.scenario?.(drawn) ?? drawn, options.trace === true)
  const stray = (error: unknown): void => void world.strays.push(String(error))
  process.on('unhandledRejection', stray)
  const { decide } = run
  run.decide = (state, input) => {
    world.witness(state, input)
    return decide(state, input)
  }
  try {
    return await world.play()
  } finally {
    run.decide = decide
    process.off('unhandledRejection', stray)
  }
}

/** The process that is under way, for planted bugs that only a restart brings out. */
export let currentLife = 0

class World {
  readonly strays: string[] = []
  readonly #scenario: Scenario
  readonly #scheduler: Scheduler
  readonly #disk: Disk
  readonly #store = emptyStore()
  readonly #journal = createMemoryStore()
  readonly #stored: Stored[] = []
  readonly #calls: RecordedCall[] = []
  readonly #person: Person
  readonly #trace: string[] = []
  readonly #traces: boolean
  readonly #faults: Fault[]
  readonly #meddling: Interference[]
  /** The step at which an event of a type was first stored. */
  readonly #first = new Map<string, number>()
  #life: Life = { number: 0, alive: false }
  #over = false
  #down_ms = 0
  #runSeq = 0
  #lastSeen: History['lastSeen']

  constructor(scenario: Scenario, traces: boolean) {
    this.#scenario = scenario
    this.#traces = traces
    this.#scheduler = new Scheduler(randomOf('scheduler', scenario.seed))
    this.#disk = new Disk(() => ({ step: this.#scheduler.steps, seq: this.#runSeq }))
    this.#person = new Person(scenario, this.#scheduler, CHAT)
    this.#faults = [...scenario.faults]
    this.#meddling = [...scenario.interferences]
    for (const name of ['a.txt', 'b.txt']) this.#disk.files.set(`${FOLDER}/${name}`, name)
    this.#disk.files.set(`${CONTEXT}/old.txt`, 'old')
  }

  async play(): Promise<History> {
    this.#scheduler.onStep = (ticket) => {
      if (this.#traces) this.#trace.push(`${this.#scheduler.steps} +${this.#scheduler.now} ${ticket.label}`)
      const due = this.#meddling.findIndex((moment) => this.#isDue(moment))
      for (const next of due === -1 ? [] : this.#meddling.splice(due, 1)) this.#person.interfere(next)
      return this.#fate(ticket)
    }
    this.#begin()
    const ended = await this.#scheduler.run(() => this.#over)
    // Whatever still happens after the end is part of the record.
    const after = ended === 'done' ? await this.#scheduler.run(() => false) : 'stuck'
    const { stored, calls, writes } = { stored: this.#stored, calls: this.#calls, writes: this.#disk.writes }
    return {
      ...{ scenario: this.#scenario, ended, stored, calls, writes, strays: this.strays },
      acknowledged: this.#person.acknowledged,
      down_ms: this.#down_ms,
      lives: this.#life.number,
      steps: this.#scheduler.steps,
      lastSeen: this.#lastSeen,
      left: { workspaces: this.#store.workspaces.size, busy: after === 'endless' },
      trace: this.#trace,
    }
  }

  witness(state: RunState, input: RunInput): void {
    if (input.type === 'log_stored') this.#lastSeen = { state, seq: this.#runSeq }
  }

  /** What happens to this step: mostly nothing. */
  #fate(ticket: Ticket): Fate {
    const due = this.#faults.findIndex((moment) => this.#isDue(moment))
    const fault = this.#faults[due]
    if (!fault || this.#over || ticket.life !== this.#life || !this.#life.alive) return 'go'
    const appends = ticket.label.startsWith('append ')
    if (fault.kind === 'append_fails' && !appends) return 'go'
    this.#faults.splice(due, 1)
    if (fault.kind === 'append_fails') return 'fail'
    this.#crash(fault.down_ms)
    // Dead before or after its last write; nobody heard either way.
    return appends && this.#scheduler.steps % 2 === 0 ? 'die_stored' : 'go'
  }

  #isDue({ step, after }: Moment): boolean {
    const from = after === undefined ? 0 : this.#first.get(after)
    return from !== undefined && this.#scheduler.steps >= from + step
  }

  #crash(down_ms: number): void {
    if (this.#traces) this.#trace.push(`${this.#scheduler.steps} the process dies`)
    this.#scheduler.kill(this.#life)
    this.#down_ms += down_ms
    const nobody = { number: 0, alive: true }
    void this.#scheduler.sleep(down_ms, nobody, undefined, 'restart').then(() => this.#begin())
  }

  /** A new process on the same journal. */
  #begin(): void {
    const life: Life = { number: this.#life.number + 1, alive: true }
    this.#life = life
    currentLife = life.number
    // A process that died owns nothing.
    this.#journal.owners.clear()
    const engine = this.#engine(life)
    this.#person.meet(engine, life)
    void this.#drive(engine).then(
      () => {
        if (this.#life === life) this.#over = true
      },
      // The journal failed: the program ends with an error, and is started again.
      () => {
        if (life.alive) this.#crash(0)
      },
    )
  }

  async #drive(engine: Engine): Promise<void> {
    const { mode: agent_mode, settings } = this.#scenario
    const { chat_id } = await engine.open(CHAT)
    if (chat_id !== CHAT)
      await engine.execute({ type: 'create_chat', chat_id: CHAT, folder: FOLDER, title: 'task', agent_mode })
    const { open_run, turns } = await engine.open(CHAT)
    if (!open_run && turns === null) {
      // The one place where the engine draws a number itself: a run's name, before it waits for anything.
      const { random } = Math
      Math.random = () => 0.5
      const starting = engine.execute({ type: 'start_run', chat_id: CHAT, text: 'Do the task.', settings })
      Math.random = random
      await starting
    }
    await engine.whenIdle(CHAT)
  }

  #engine(life: Life): Engine {
    const scheduler = this.#scheduler
    const ticket = (label: string): Promise<Fate> => scheduler.ticket(label, life)
    const pause = async (label: string): Promise<void> => void (await ticket(label))
    const world = {
      scenario: this.#scenario,
      scheduler,
      life,
      calls: this.#calls,
      runSeq: () => this.#runSeq,
    }
    return new Engine({
      journal: simulatedJournal(
        {
          store: this.#journal,
          ticket: async (label) => {
            const fate = await ticket(label)
            return fate === 'go' && !life.alive ? new Promise<Fate>(() => undefined) : fate
          },
          onStored: (stored) => this.#note(stored, life),
        },
        life,
      ),
      clock: scheduler.clock(life),
      tools: [readFile, createFile, deleteFile, ...teamTools].map((tool) =>
        slowed(tool, async (call_id) => {
          const ms = randomOf('tool', this.#scenario.seed, call_id).between(-2_000, 1_000)
          if (ms > 0) await scheduler.sleep(ms, life, undefined, `tool ${tool.name}`)
          await pause(`tool ${tool.name}`)
        }),
      ),
      agent: async (id, order) => simulatedAgent(world, id, order),
      files: (granted) => diskFiles(this.#disk, granted, pause),
      shell: this.#shell(life),
      platform: 'linux',
      team: async () =>
        simulatedTeam(this.#disk, this.#store, pause, (agent) => this.#scenario.refused.has(agent)),
    })
  }

  #note(stored: Omit<Stored, 'step' | 'life'>, life: Life): void {
    this.#stored.push({ ...stored, step: this.#scheduler.steps, life: life.number })
    if (stored.stream.startsWith('run_')) this.#runSeq = stored.seq
    const { type } = stored.event
    if (!this.#first.has(type)) this.#first.set(type, this.#scheduler.steps)
    if (this.#traces) this.#trace.push(`    ${stored.stream} ${JSON.stringify(stored.event)}`)
    this.#person.see(stored)
  }

  #shell(life: Life): Shell {
    return {
      confines: true,
      run: async ({ command, cwd, signal }) => {
        await this.#scheduler.sleep(
          randomOf(this.#scenario.seed, cwd).between(100, 20_000),
          life,
          signal,
          command,
        )
        if (signal.aborted) return { exit_code: null, output: '', ended_by: 'cancel' }
        this.#disk.put(`${cwd}/junk.log`, 'left by the tests', { root: cwd, via: 'shell' })
        return { exit_code: cwd.length % 2, output: 'ran' }
      },
    }
  }
}

/** A tool takes a step before it begins and one after, and sometimes its time; nothing makes it hurry. */
const slowed = (tool: Tool, pause: (call_id: string) => Promise<void>): Tool => ({
  ...tool,
  async run(input, context) {
    await pause(context.call_id)
    const result = await tool.run(input, context)
    await pause(`${context.call_id} ends`)
    return result
  },
})

export const eventsOf = (history: History, stream?: string): RunEvent[] =>
  history.stored.flatMap(({ stream: of, event }) =>
    of === (stream ?? runOf(history)) ? [event as RunEvent] : [],
  )

export const runOf = ({ stored }: History): RunId | undefined =>
  stored.find(({ event }) => event.type === 'run.started')?.stream as RunId | undefined

export const msOf = (at: string): number => Date.parse(at) - EPOCH
