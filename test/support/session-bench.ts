import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { type ScriptedReply, scriptedModel } from '../../src/adapters/models/scripted.ts'
import { openProject } from '../../src/adapters/project/project-workspace.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openTeam } from '../../src/adapters/team/open-team.ts'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { coordinationFor } from '../../src/core/modes/overrides.ts'
import type { RunState } from '../../src/core/run/state.ts'
import type { TurnState } from '../../src/core/turn/state.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineParts } from '../../src/engine/parts.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Model, ModelRequest } from '../../src/ports/model.ts'
import type { ChatMode } from '../../src/schema/chat-config.ts'
import type { MessageSettings } from '../../src/schema/command.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import { type ChatId, type RunId, type TurnId, isTurnId } from '../../src/schema/ids.ts'
import type { Pending, PendingAnswer } from '../../src/schema/pending.ts'
import { launchRun } from '../../src/tools/launch-run.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import { usualCoordination } from './team-bench.ts'
import { temporaryFolder, writeFiles } from './workbench.ts'

export interface SessionOptions {
  /** What the agent says that the person talks to. */
  talks: ScriptedReply[] | Model
  /** Replies of each agent of the team, in the order of the config. */
  agents: Record<string, ScriptedReply[] | Model>
  require_approval?: boolean
  broadcast?: 'agents' | 'human'
  files?: Record<string, string>
  folder?: string
  journal?: Journal
  /** Runs leave their traces in the project. */
  project?: boolean
  parts?: Partial<EngineParts>
}

const TALKS = 'conclave'

/** A real engine with the interactive agent and a team behind it; only the models are scripts. */
export class SessionBench {
  readonly folder: string
  readonly journal: Journal
  readonly engine: Engine
  readonly envelopes: Envelope[] = []
  /** Everything every model was asked, by agent. */
  readonly asked = new Map<string, ModelRequest[]>()
  chat: ChatId
  readonly #close: () => Promise<void>

  constructor(options: SessionOptions) {
    const { talks, agents, require_approval = true, broadcast } = options
    this.folder = options.folder ?? temporaryFolder()
    this.journal = options.journal ?? openMemoryJournal()
    writeFiles(this.folder, options.files ?? {})
    const data = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-data-')))
    const blobs = openBlobStore(join(data, 'blobs'))
    const models = new Map(
      Object.entries({ [TALKS]: talks, ...agents }).map(([id, replies]) => [id, this.#record(id, replies)]),
    )
    const ids = Object.keys(agents)
    const project = openProject(this.folder)
    this.engine = new Engine({
      journal: this.journal,
      clock: systemClock,
      tools: [...builtinTools(), launchRun],
      agent: async (id) => ({ id, model: models.get(id) ?? scriptedModel([]) }),
      files: openFiles,
      shell: localShell(),
      platform: process.platform,
      team: async () => openTeam({ data, blobs }),
      interactive: {
        orchestrator: { agents: ids.map((id) => ({ id, model: 'scripted' })), require_approval },
        launch: { require_approval, agents: ids.map((id) => ({ id })), max_new_answers_per_agent: 3 },
      },
      launch: (request, { turn, planning, context_paths }) => ({
        team_mode: request.agent_mode,
        refinement: request.refinement,
        agents: ids.filter((id) => request.agents.includes(id)).map((id) => ({ id, speaks: 'tools' })),
        coordination: coordinationFor(
          {
            plan: planning,
            team: request.agent_mode,
            refinement: request.refinement,
            write_paths: context_paths.some(({ permission }) => permission === 'write'),
          },
          { ...usualCoordination, ...(broadcast && { broadcast }) },
        ),
        turn,
        context_paths,
        evidence: [],
        override: 'continue',
        budget: {
          ...(turn.max_tokens !== undefined && { max_tokens: turn.max_tokens }),
          ...(turn.max_usd !== undefined && { max_usd: turn.max_usd }),
        },
        timeouts: { run_ms: 60_000, first_round_ms: null, later_round_ms: null, grace_ms: 5_000 },
      }),
      ...(options.project && { workspace: async () => project }),
      ...options.parts,
    })
    this.chat = this.engine.newChatId()
    const subscription = this.engine.subscribe(100_000)
    const listening = (async () => {
      for await (const envelope of subscription) this.envelopes.push(envelope)
    })()
    let closing: Promise<void> | undefined
    this.#close = () =>
      (closing ??= (async () => {
        subscription.close()
        await listening
        await this.engine.close()
        rmSync(data, { recursive: true, force: true })
      })())
    onTestFinished(this.#close)
  }

  /** Ends the process, as far as this one engine goes; its journal stays. */
  close(): Promise<void> {
    return this.#close()
  }

  /** Sends a message and returns the turn at its end. What asks is answered with `answer`. */
  async say(text: string, more: Sent = {}): Promise<TurnState> {
    const id = await this.send(text, more)
    if (more.answer) await this.answer((await this.pending('run_approval', id)).pending, more.answer)
    await this.until(({ event }) => event.type === 'turn.closed' && event.turn_id === id)
    return this.engine.turn(id)
  }

  async send(text: string, { mode, settings }: Sent = {}): Promise<TurnId> {
    const { chat_id } = await this.engine.open(this.chat)
    if (chat_id !== this.chat)
      await this.must({
        ...{ type: 'create_chat', chat_id: this.chat, folder: this.folder, title: text },
        agent_mode: mode ?? 'Act',
      })
    await this.must({
      ...{ type: 'send_message', chat_id: this.chat, text, agent_id: TALKS },
      settings: { permission: 'auto', max_iterations: 15, reflect: 'never', ...settings },
    })
    const { open_turn, turns } = await this.engine.open(this.chat)
    const id = open_turn?.turn_id ?? turns?.last
    if (!id || !isTurnId(id)) throw new Error('no turn began')
    return id
  }

  /** The first pending of this kind, past or future. */
  async pending<K extends Pending['kind']>(
    kind: K,
    stream?: string,
  ): Promise<{ stream: TurnId | RunId; pending: Extract<Pending, { kind: K }> }> {
    const found = await this.until(
      (envelope) =>
        envelope.event.type === 'pending.opened' &&
        envelope.event.pending.kind === kind &&
        (stream === undefined || envelope.stream === stream),
    )
    if (found.event.type !== 'pending.opened') throw new Error('unreachable')
    return {
      stream: found.stream as TurnId | RunId,
      pending: found.event.pending as Extract<Pending, { kind: K }>,
    }
  }

  async answer({ id }: Pending, answer: PendingAnswer): Promise<void> {
    const turn_id = id.slice(0, id.lastIndexOf(':')) as TurnId | RunId
    await this.must({ type: 'answer_pending', turn_id, pending_id: id, answer, by: 'test' })
  }

  async must(command: Parameters<Engine['execute']>[0]): Promise<void> {
    const result = await this.engine.execute(command)
    if (!result.accepted) throw new Error(result.reason)
  }

  /** The runs that were started, oldest first. */
  runs(): Promise<RunState[]> {
    const ids = this.envelopes.flatMap(({ event }) => (event.type === 'run.started' ? [event.run_id] : []))
    return Promise.all(ids.map((id) => this.engine.run(id)))
  }

  requests(agent: string): ModelRequest[] {
    return this.asked.get(agent) ?? []
  }

  /** The first envelope, past or future, that fits. */
  async until(fits: (envelope: Envelope) => boolean): Promise<Envelope> {
    for (;;) {
      const found = this.envelopes.find(fits)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  #record(id: string, replies: ScriptedReply[] | Model): Model {
    const model = Array.isArray(replies) ? scriptedModel(replies) : replies
    return {
      ...model,
      stream: (request, signal, host) => {
        this.asked.set(id, [...this.requests(id), structuredClone(request)])
        return model.stream(request, signal, host)
      },
    }
  }
}

interface Sent {
  mode?: ChatMode
  settings?: Partial<MessageSettings>
  answer?: PendingAnswer
}

export const launches = (input: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name: 'launch_run', input }],
})

/** What the call of this number was answered with, from the first on. */
export const outputOf = (turn: TurnState, number = 1): string => {
  const outputs: string[] = []
  for (let node = turn.entries; node !== null; node = node.before)
    if (node.last.kind === 'result') outputs.unshift(node.last.output)
  return outputs[number - 1] ?? ''
}

/** The result of the run that this call launched. */
export const resultOf = (turn: TurnState, number = 1): Record<string, unknown> =>
  JSON.parse(outputOf(turn, number).replace(/^[^{]*/, '')) as Record<string, unknown>
