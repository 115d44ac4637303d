import type { Rejected } from '../core/aggregate.ts'
import type { RunInput } from '../core/run/input.ts'
import { run } from '../core/run/run.ts'
import type { RunState } from '../core/run/state.ts'
import { JournalError } from '../ports/journal.ts'
import { warningPrompt } from '../prompts/team/turn-prompts.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import type { RunEvent } from '../schema/run-event.ts'
import { Actor, Stopped } from './actor.ts'
import type { Hub } from './hub.ts'
import { project } from './project.ts'
import type { RunActor, RunOrder } from './team/desk.ts'
import { performRun } from './team/perform-run.ts'
import { beginTrace } from './team/project-trace.ts'
import type { Turns } from './turns.ts'

/** The runs under way in this process. */
export class Runs {
  readonly #turns: Turns
  readonly #hub: Hub
  readonly #actors = new Map<RunId, Promise<RunActor>>()

  constructor(turns: Turns, hub: Hub) {
    this.#turns = turns
    this.#hub = hub
  }

  /** Starts the run, or goes on where its log ends, and waits until it is over and its log is stored. */
  async run(order: RunOrder, signal: AbortSignal): Promise<RunState> {
    const opening = this.#open(order)
    this.#actors.set(order.run_id, opening)
    try {
      return await this.#finish(await opening, signal)
    } finally {
      this.#actors.delete(order.run_id)
      this.#turns.conversations.forget(order.run_id)
    }
  }

  async send(id: RunId, input: RunInput): Promise<Rejected | undefined> {
    const actor = await this.#actors.get(id)
    return actor ? actor.send(input) : { rejected: `${id} is not under way here` }
  }

  async read(id: RunId): Promise<RunState> {
    const actor = await this.#actors.get(id)
    if (actor) return actor.state
    const events = await this.#turns.parts.journal.read(id)
    return events.reduce((state, { event }) => run.evolve(state, event as RunEvent), run.initial)
  }

  async #finish(actor: RunActor, signal: AbortSignal): Promise<RunState> {
    const end = () => {
      if (signal.reason instanceof Stopped) void actor.stop()
      else void actor.send({ type: 'interrupt', now: this.#turns.parts.clock.now() })
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    try {
      return await actor.when(({ log_directory }) => log_directory !== undefined)
    } finally {
      signal.removeEventListener('abort', end)
      await actor.stop()
    }
  }

  async #open(order: RunOrder): Promise<RunActor> {
    const { journal, clock, team: loadTeam } = this.#turns.parts
    if (!loadTeam) throw new Error('this engine was put together without what a team needs')
    await journal.acquire(order.run_id)
    const cancels = new Map<TurnId, AbortController>()
    const cancellation = (turn: TurnId): AbortSignal => {
      const controller = cancels.get(turn) ?? new AbortController()
      cancels.set(turn, controller)
      return controller.signal
    }
    const team = await loadTeam()
    const unchecked = new Set<string>()
    const actor: RunActor = new Actor({
      stream: order.run_id,
      aggregate: run,
      journal,
      clock,
      publish: (envelopes) => {
        this.#hub.publish(envelopes)
        for (const { event } of envelopes) this.#follow(order, event as RunEvent)
        for (const { turn } of actor.state.agents) if (turn?.cancelled) cancels.get(turn.turn_id)?.abort()
      },
      perform: (effect, signal) =>
        performRun({ order, actor, turns: this.#turns, team, cancellation, unchecked }, effect, signal),
      onBug: (error) => {
        if (error instanceof JournalError) throw error
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
        const failure = { kind: 'bug', message: `a bug in conclave ended this run: ${message}` } as const
        return { type: 'fail', failure, now: clock.now() }
      },
      index: project,
    })
    await actor.load()
    for (const { label, evidence } of actor.state.agents.flatMap(({ answers }) => answers))
      if (evidence === null) unchecked.add(label)
    if (actor.seq === 0) {
      const { chat, run_id, prompt, pictures, settings } = order
      const { chat_id, folder } = chat
      const at_ms = clock.now()
      await beginTrace(this.#turns.parts, order, at_ms)
      await actor.send({
        type: 'start',
        started: {
          type: 'run.started',
          ...{ run_id, chat_id, folder, prompt, settings, at_ms },
          ...(pictures && { pictures }),
        },
      })
    } else {
      for (const pending of actor.state.pendings) order.onPending(pending, { turn_id: order.run_id })
      actor.start()
    }
    return actor
  }

  #follow(order: RunOrder, event: RunEvent): void {
    if (event.type === 'pending.opened') order.onPending(event.pending, { turn_id: order.run_id })
    if (event.type !== 'agent.warned') return
    const calls = order.settings.coordination.skip_voting ? 'new_answer' : 'new_answer or vote'
    const warning = { type: 'inform', id: 'warned', text: warningPrompt(calls) } as const
    // A journal that fails ends the turn itself.
    this.#turns.send(event.turn_id, warning).catch(() => undefined)
  }
}
