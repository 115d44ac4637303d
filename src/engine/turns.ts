import type { Rejected } from '../core/aggregate.ts'
import type { OpenTurn, SessionState } from '../core/session/state.ts'
import type { TurnEffect } from '../core/turn/effects.ts'
import type { TurnInput } from '../core/turn/input.ts'
import { isOver } from '../core/turn/phases.ts'
import { PLAN_STEP } from '../core/turn/plan-steps.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import { JournalError } from '../ports/journal.ts'
import type { Failure } from '../schema/failure.ts'
import type { ChatId, TurnId } from '../schema/ids.ts'
import type { Pending } from '../schema/pending.ts'
import type { Grant } from '../schema/permission.ts'
import type { LiveEvent } from '../schema/live-event.ts'
import type { WrittenFile } from '../schema/observation.ts'
import type { StepProgress, ToolTraits, TurnEvent, TurnOutcome } from '../schema/turn-event.ts'
import type { Usage } from '../schema/usage.ts'
import { Actor, Stopped } from './actor.ts'
import type { Conversations } from './conversations.ts'
import type { Hub } from './hub.ts'
import type { EngineParts } from './parts.ts'
import { callModel } from './perform/call-model.ts'
import { runTool } from './perform/run-tool.ts'
import { summarize } from './perform/summarize.ts'
import { project } from './project.ts'

export type TurnActor = Actor<TurnState, TurnInput, TurnEvent, TurnEffect>

export interface TurnOrder extends OpenTurn {
  chat: SessionState
  parent?: { turn_id: TurnId; call_id: string }
  /** Told of everything that waits for a person, once or more. */
  onPending: (pending: Pending) => void
}

export interface TurnEnd {
  outcome: TurnOutcome
  answer: string
  files: WrittenFile[]
  grants: readonly Grant[]
  steps: readonly StepProgress[]
  usage: Usage
}

/** The turns under way in this process, those of sub-agents included. */
export class Turns {
  readonly parts: EngineParts
  readonly conversations: Conversations
  readonly #hub: Hub
  readonly #actors = new Map<TurnId, Promise<TurnActor>>()
  readonly #seen = new Map<ChatId, Map<string, string>>()

  constructor(parts: EngineParts, hub: Hub, conversations: Conversations) {
    this.parts = parts
    this.conversations = conversations
    this.#hub = hub
  }

  /** The files a chat's agents have read or written, with the fingerprint they had then. */
  seen(chat: ChatId): Map<string, string> {
    const seen = this.#seen.get(chat) ?? new Map<string, string>()
    this.#seen.set(chat, seen)
    return seen
  }

  traits(): ToolTraits[] {
    return this.parts.tools.map(({ name, read_only, changes, destructive, confinable, nested }) => ({
      name,
      read_only,
      ...(changes && { changes }),
      ...(destructive && { destructive }),
      ...(confinable && this.parts.shell.confines && { confinable }),
      ...(nested && { nested }),
    }))
  }

  /** Starts the turn, or goes on where its log ends, and waits for its end. */
  async run(order: TurnOrder, signal: AbortSignal): Promise<TurnEnd> {
    const opening = this.#open(order)
    this.#actors.set(order.turn_id, opening)
    try {
      return await this.#finish(await opening, signal)
    } finally {
      this.#actors.delete(order.turn_id)
    }
  }

  async #finish(actor: TurnActor, signal: AbortSignal): Promise<TurnEnd> {
    const end = () => {
      if (signal.reason instanceof Stopped) void actor.stop()
      else void actor.send({ type: 'interrupt' })
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    try {
      const {
        outcome = 'failed',
        answer = '',
        files,
        granted,
        steps,
        usage,
      } = await actor.when((state) => isOver(state.phase))
      return { outcome, answer, files: [...files], grants: granted, steps, usage }
    } finally {
      signal.removeEventListener('abort', end)
      // The turn can be over while the processes it was told to end are still going down.
      await actor.stop()
    }
  }

  async send(id: TurnId, input: TurnInput): Promise<Rejected | undefined> {
    const actor = await this.#actors.get(id)
    return actor ? actor.send(input) : { rejected: `${id} is not under way here` }
  }

  async read(id: TurnId): Promise<TurnState> {
    const actor = await this.#actors.get(id)
    if (actor) return actor.state
    const events = await this.parts.journal.read(id)
    return events.reduce((state, { event }) => turn.evolve(state, event as TurnEvent), turn.initial)
  }

  live(id: TurnId, event: LiveEvent): void {
    const at = new Date(this.parts.clock.now()).toISOString()
    this.#hub.publish([{ v: 1, stream: id, seq: null, at, event }])
  }

  async #open(order: TurnOrder): Promise<TurnActor> {
    const { journal, clock } = this.parts
    const { chat, turn_id, agent_id, prompt, settings, parent } = order
    await journal.acquire(turn_id)
    const actor: TurnActor = new Actor({
      stream: turn_id,
      aggregate: turn,
      journal,
      clock,
      publish: (envelopes) => {
        this.#hub.publish(envelopes)
        for (const { event } of envelopes) if (event.type === 'pending.opened') order.onPending(event.pending)
      },
      perform: (effect, signal) => this.#perform(order, actor, effect, signal),
      onBug: (error) => {
        // A sub-agent's log could not be written: this turn cannot go on either, but it can be resumed.
        if (error instanceof JournalError) throw error
        return { type: 'fail', failure: asBug(error) }
      },
      index: project,
    })
    await actor.load()
    // Nothing acts in a chat that is in Plan mode. Only a damaged log can say both.
    const held = chat.config.agent_mode === 'Plan' || settings.mode === 'Plan'
    if (actor.seq === 0) {
      const started = {
        type: 'turn.started',
        turn_id,
        chat_id: chat.chat_id,
        agent_id,
        prompt,
        settings: { ...settings, mode: held ? 'Plan' : 'Act' },
      } as const
      await actor.send({ type: 'start', started: { ...started, ...(parent && { parent }) } })
    } else {
      const acts = actor.state.settings.mode === 'Act'
      if (!isOver(actor.state.phase)) await actor.send({ type: held && acts ? 'interrupt' : 'recover' })
      for (const pending of actor.state.pendings) order.onPending(pending)
      actor.start()
    }
    return actor
  }

  #perform(order: TurnOrder, actor: TurnActor, effect: TurnEffect, signal: AbortSignal): Promise<TurnInput> {
    switch (effect.type) {
      case 'call_model':
        return callModel(this, order, actor, signal)
      case 'summarize':
        return summarize(this, order, actor.state, signal)
      case 'run_tool':
        return runTool(this, order, effect, signal)
      case 'run_subtask':
        return this.#runSubtask(order, effect, signal)
    }
  }

  async #runSubtask(
    order: TurnOrder,
    { call_id, subtask, turn_id }: Extract<TurnEffect, { type: 'run_subtask' }>,
    signal: AbortSignal,
  ): Promise<TurnInput> {
    const began = this.parts.clock.elapsed()
    const tools = order.settings.tools.filter(({ nested, name }) => !nested && name !== PLAN_STEP)
    const settings = { ...order.settings, tools }
    const parent = { turn_id: order.turn_id, call_id }
    const child = { ...order, turn_id, prompt: subtask.task, settings, parent }
    const { outcome, answer, files, usage } = await this.run(child, signal)
    const duration_ms = Math.round(this.parts.clock.elapsed() - began)
    return {
      type: 'subtask_finished',
      call_id,
      subtask_id: subtask.id,
      outcome,
      summary: answer,
      files,
      usage,
      duration_ms,
    }
  }
}

function asBug(error: unknown): Failure {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'bug', message: `a bug in conclave ended this turn: ${message}`, hint: 'please report it' }
}
