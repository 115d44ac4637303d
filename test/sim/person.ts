import type { Engine } from '../../src/engine/engine.ts'
import type { Command } from '../../src/schema/command.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../../src/schema/ids.ts'
import type { Pending, PendingAnswer } from '../../src/schema/pending.ts'
import { type Random, randomOf } from './random.ts'
import type { Interference, Scenario } from './scenario.ts'
import type { Life, Scheduler } from './scheduler.ts'
import type { Stored } from './sim-journal.ts'

/** Something a person did that was acknowledged. */
export interface Acknowledged {
  command: Command
  accepted: boolean
  step: number
}

/** Answers what waits for a person, sometimes late, sometimes wrongly first; and meddles. Outlives every process. */
export class Person {
  readonly acknowledged: Acknowledged[] = []
  readonly #random: Random
  readonly #scenario: Scenario
  readonly #scheduler: Scheduler
  readonly #chat: ChatId
  readonly #open = new Map<string, { stream: StreamId; pending: Pending }>()
  readonly #turns: TurnId[] = []
  #run: RunId | undefined
  #engine: Engine | undefined
  #life: Life = { number: 0, alive: false }

  constructor(scenario: Scenario, scheduler: Scheduler, chat: ChatId) {
    this.#random = randomOf('person', scenario.seed)
    this.#scenario = scenario
    this.#scheduler = scheduler
    this.#chat = chat
  }

  /** Sits down before a new process: what it was asked before is still on the screen. */
  meet(engine: Engine, life: Life): void {
    this.#engine = engine
    this.#life = life
    for (const { stream, pending } of this.#open.values()) void this.#answer(stream, pending)
  }

  see({ stream, event }: Pick<Stored, 'stream' | 'event'>): void {
    if (event.type === 'run.started') this.#run = event.run_id
    if (event.type === 'turn.started') this.#turns.push(event.turn_id)
    if (event.type === 'pending.opened') {
      this.#open.set(event.pending.id, { stream, pending: event.pending })
      if (this.#life.alive) void this.#answer(stream, event.pending)
    }
    if (event.type === 'pending.answered') this.#open.delete(event.pending_id)
  }

  interfere({ kind }: Interference): void {
    const chat_id = this.#chat
    const turn_id = this.#turns.length > 0 ? this.#random.pick(this.#turns) : undefined
    if (kind === 'interrupt') void this.#do({ type: 'interrupt', chat_id })
    if (kind === 'limit') void this.#do({ type: 'interrupt', chat_id, limit: '10 s (--timeout)' })
    if (kind === 'guidance' && turn_id)
      void this.#do({ type: 'give_guidance', turn_id, text: 'Think again.' })
    if (kind === 'override' && this.#run) {
      const agent = this.#random.pick([...this.#scenario.behaviours.keys()])
      const answer = { kind: 'override', decision: 'present', agent } as const
      const pending_id = `${this.#run}:1`
      void this.#do({ type: 'answer_pending', turn_id: this.#run, pending_id, answer, by: 'meddler' })
    }
  }

  async #answer(stream: StreamId, pending: Pending): Promise<void> {
    const random = randomOf('answer', this.#scenario.seed, pending.id)
    await this.#scheduler.sleep(
      random.between(0, this.#scenario.patience_ms),
      this.#life,
      undefined,
      'person',
    )
    if (!this.#open.has(pending.id)) return
    for (const answer of answersTo(pending, random)) {
      const turn_id = stream as TurnId | RunId
      await this.#do({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'person' })
    }
  }

  async #do(command: Command): Promise<void> {
    const engine = this.#engine
    const life = this.#life
    if (!engine || !life.alive) return
    try {
      const { accepted } = await engine.execute(command)
      this.acknowledged.push({ command, accepted, step: this.#scheduler.steps })
    } catch {
      // The journal could not be written: the person sees an error, and nothing was promised.
    }
  }
}

/** What a person answers, one after the other: the first that is taken wins. */
function answersTo(pending: Pending, random: Random): PendingAnswer[] {
  switch (pending.kind) {
    case 'tool_approval':
      return [{ kind: 'tool_approval', decision: random.chance(0.7) ? 'once' : 'deny' }]
    case 'guidance':
      return random.chance(0.5)
        ? [{ kind: 'guidance', decision: 'continue', text: 'Go on.' }]
        : [{ kind: 'guidance', decision: 'stop' }]
    case 'question':
      return [{ kind: 'question', value: pending.options[0]?.value ?? 'either', text: 'either' }]
    case 'override': {
      const agent = random.pick(pending.candidates).agent
      const chosen: PendingAnswer = random.chance(0.6)
        ? { kind: 'override', decision: 'present', agent }
        : { kind: 'override', decision: 'continue' }
      // Nobody has that name; and two faces that answer at once.
      const wrong: PendingAnswer = { kind: 'override', decision: 'present', agent: 'nobody' }
      return random.chance(0.2) ? [wrong, chosen, { kind: 'override', decision: 'continue' }] : [chosen]
    }
    case 'run_approval':
      return [{ kind: 'run_approval', decision: 'approve' }]
  }
}
