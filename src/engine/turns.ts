import type { Rejected } from '../core/aggregate.ts'
import { toArray } from '../core/list.ts'
import type { OpenRun, OpenTurn, SessionState } from '../core/session/state.ts'
import type { RunState } from '../core/run/state.ts'
import { ASK_OTHERS } from '../core/turn/ask-others.ts'
import type { TurnEffect } from '../core/turn/effects.ts'
import type { TurnInput } from '../core/turn/input.ts'
import { isOver } from '../core/turn/phases.ts'
import { PLAN_STEP } from '../core/turn/plan-steps.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Files } from '../ports/files.ts'
import { JournalError } from '../ports/journal.ts'
import type { Profile } from '../prompts/profiles.ts'
import type { Failure } from '../schema/failure.ts'
import type { ChatId, RunId, TurnId } from '../schema/ids.ts'
import type { Pending } from '../schema/pending.ts'
import type { Grant } from '../schema/permission.ts'
import type { LiveEvent } from '../schema/live-event.ts'
import type { WrittenFile } from '../schema/observation.ts'
import type { Phase, StepProgress, ToolTraits, TurnEvent, TurnOutcome } from '../schema/turn-event.ts'
import type { Usage } from '../schema/usage.ts'
import { teamTools } from '../tools/registry.ts'
import type { TeamAct, ToolResult } from '../tools/tool.ts'
import { Actor, type Ends, Stopped, isToldToEnd } from './actor.ts'
import type { Conversations } from './conversations.ts'
import type { Hub } from './hub.ts'
import type { EngineParts } from './parts.ts'
import { callModel } from './perform/call-model.ts'
import { runTool } from './perform/run-tool.ts'
import { summarize } from './perform/summarize.ts'
import type { RunOrder } from './team/desk.ts'
import { project } from './project.ts'

export type TurnActor = Actor<TurnState, TurnInput, TurnEvent, TurnEffect>

export interface TurnOrder extends OpenTurn {
  chat: SessionState
  parent?: { turn_id: TurnId; call_id: string }
  /** The role in which the agent is asked; by default that of the agent a person talks to. */
  profile?: Profile
  /** Earlier turns of the same agent that a sub-agent goes on from; one of them may be under way. */
  history?: readonly TurnId[]
  /** The runs that the chat carries out while the person goes on talking. */
  background?: {
    runs: () => readonly OpenRun[]
    launch: (run: OpenRun) => Promise<Rejected | undefined>
  }
  /** Puts a question to the other agents of its run. */
  ask?: (question: { call_id: string; text: string }, signal: AbortSignal) => Promise<ToolResult>
  /** What its file tools work with, made from what they would otherwise. */
  ownFiles?: (files: Files) => Files
  /** How its calls of team tools reach the run it is part of. */
  coordinate?: (act: TeamAct) => Promise<ToolResult>
  /** Told of everything that waits for a person, once or more. */
  onPending: (pending: Pending, from?: { turn_id: TurnId | RunId; agent_id?: string }) => void
}

export interface News {
  id: string
  text: string
}

export interface TurnEnd {
  outcome: TurnOutcome
  answer: string
  files: WrittenFile[]
  grants: readonly Grant[]
  steps: readonly StepProgress[]
  usage: Usage
  phases: { states: Phase[]; iterations: number }
  failure?: Failure
}

/** The turns under way in this process, those of sub-agents included. */
export class Turns {
  readonly parts: EngineParts
  readonly conversations: Conversations
  /** Runs that a turn launches. */
  runTeam: (order: RunOrder, signal: AbortSignal) => Promise<RunState> = () =>
    Promise.reject(new Error('this engine runs no teams'))
  readonly #hub: Hub
  readonly #actors = new Map<TurnId, Promise<TurnActor>>()
  /** Events by the names of the turns that begin. */
  readonly #begins = new EventTarget()
  readonly #seen = new Map<string, Map<string, string>>()

  constructor(parts: EngineParts, hub: Hub, conversations: Conversations) {
    this.parts = parts
    this.conversations = conversations
    this.#hub = hub
  }

  /** The files a chat's agents have read or written below this root, with the fingerprint they had then. */
  seen(chat: ChatId, root: string): Map<string, string> {
    const key = `${chat} ${root}`
    const seen = this.#seen.get(key) ?? new Map<string, string>()
    this.#seen.set(key, seen)
    return seen
  }

  /** What turns are told of the tools; those of a team are added by its run. */
  traits(): ToolTraits[] {
    const team = new Set(teamTools.map(({ name }) => name))
    const tools = this.parts.tools.filter(({ name, ends_turn }) => !ends_turn && !team.has(name))
    return tools.map(({ name, read_only, changes, destructive, confinable, nested, launches }) => ({
      name,
      read_only,
      ...(changes && { changes }),
      ...(destructive && { destructive }),
      ...(confinable && this.parts.shell.confines && { confinable }),
      ...(nested && { nested }),
      ...(launches && { launches }),
    }))
  }

  /** Starts the turn, or goes on where its log ends, and waits for its end. */
  async run(order: TurnOrder, signal: AbortSignal): Promise<TurnEnd> {
    const opening = this.#open(order, signal)
    this.#actors.set(order.turn_id, opening)
    this.#begins.dispatchEvent(new Event(order.turn_id))
    try {
      return await this.#finish(await opening, signal)
    } finally {
      this.#actors.delete(order.turn_id)
      if (order.parent) this.conversations.forget(order.turn_id)
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
        visited,
        iteration: iterations,
        failure,
      } = await actor.when((state) => isOver(state.phase))
      const phases = { states: toArray(visited), iterations }
      return {
        ...{ outcome, answer, files: [...files], grants: granted, steps, usage, phases },
        ...(failure && { failure }),
      }
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

  /** Tells a turn, which may still have to begin, something and waits until its agent has heard it; false if it never did. */
  async tell(id: TurnId, news: readonly News[], signal: AbortSignal): Promise<boolean> {
    const actor = await this.#whenBegun(id, signal)
    if (!actor) return false
    for (const each of news) if (await actor.send({ type: 'inform', ...each })) return false
    const { updates } = await actor.when((state) => isOver(state.phase) || state.updates.length === 0)
    return updates.length === 0
  }

  #whenBegun(id: TurnId, signal: AbortSignal): Promise<TurnActor | undefined> {
    const known = this.#actors.get(id)
    if (known || signal.aborted) return known ?? Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#begins.addEventListener(id, () => resolve(this.#actors.get(id)), { once: true, signal })
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  }

  async hasBegun(id: TurnId): Promise<boolean> {
    return this.#actors.has(id) || (await this.parts.journal.read(id)).length > 0
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

  async #open(order: TurnOrder, stop: AbortSignal): Promise<TurnActor> {
    const { journal, clock } = this.parts
    const { chat, turn_id, agent_id, prompt, pictures, settings, parent } = order
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
      // What was told to end begins nothing new, however long it takes to store that.
      perform: async (effect, signal) =>
        (await isToldToEnd({ signal, stop }))
          ? { type: 'interrupt' }
          : this.#perform(order, actor, effect, { signal, stop }),
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
      // What a sub-agent is to do is all in its prompt.
      const more = parent ? { parent } : pictures && { pictures }
      await actor.send({ type: 'start', started: { ...started, ...more } })
    } else {
      const acts = actor.state.settings.mode === 'Act'
      if (!isOver(actor.state.phase)) await actor.send({ type: held && acts ? 'interrupt' : 'recover' })
      for (const pending of actor.state.pendings) order.onPending(pending)
      actor.start()
    }
    return actor
  }

  #perform(
    order: TurnOrder,
    actor: TurnActor,
    effect: TurnEffect,
    { signal, stop }: Ends,
  ): Promise<TurnInput> {
    switch (effect.type) {
      case 'call_model':
        return callModel(this, order, actor, { signal, stop })
      case 'summarize':
        return summarize(this, order, actor.state, signal)
      // Turns within it end as soon as it is told to, not when that is stored.
      case 'run_tool':
        return runTool(this, order, effect, AbortSignal.any([signal, stop]))
      case 'run_subtask':
        return this.#runSubtask(order, effect, AbortSignal.any([signal, stop]))
    }
  }

  async #runSubtask(
    order: TurnOrder,
    { call_id, subtask, turn_id }: Extract<TurnEffect, { type: 'run_subtask' }>,
    signal: AbortSignal,
  ): Promise<TurnInput> {
    const began = this.parts.clock.elapsed()
    const tools = order.settings.tools.filter(
      ({ nested, ends_turn, launches, name }) =>
        !nested && !ends_turn && !launches && name !== PLAN_STEP && name !== ASK_OTHERS,
    )
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
