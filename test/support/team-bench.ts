import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { type ScriptedReply, scriptedModel } from '../../src/adapters/models/scripted.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openTeam } from '../../src/adapters/team/open-team.ts'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { type CoordinationConfig, coordinationFor } from '../../src/core/modes/overrides.ts'
import type { RunState } from '../../src/core/run/state.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineParts } from '../../src/engine/parts.ts'
import type { Containers } from '../../src/ports/container.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Model, ModelRequest } from '../../src/ports/model.ts'
import type { Shell } from '../../src/ports/shell.ts'
import type { ChatMode } from '../../src/schema/chat-config.ts'
import type { RunMessageSettings } from '../../src/schema/command.ts'
import type { FinalAnswerStrategy, TeamMode } from '../../src/schema/coordination.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import type { ChatId, RunId } from '../../src/schema/ids.ts'
import type { RunEvent } from '../../src/schema/run-event.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import { temporaryFolder, writeFiles } from './workbench.ts'

export interface TeamOptions {
  /** Replies of each agent, in the order of the config. */
  agents: Record<string, ScriptedReply[] | Model>
  files?: Record<string, string>
  folder?: string
  journal?: Journal
  shell?: Shell
  /** Commands run in these. */
  containers?: Containers
  /** What the engine is given besides. */
  parts?: Partial<EngineParts>
  mode?: ChatMode
  team?: TeamMode
  refinement?: boolean
  strategy?: FinalAnswerStrategy
  coordination?: Partial<CoordinationConfig>
  settings?: Partial<RunMessageSettings>
}

export const usualCoordination: CoordinationConfig = {
  max_new_answers_per_agent: 3,
  max_new_answers_global: null,
  fairness_lead: null,
  answer_novelty_requirement: 'lenient',
  voting_sensitivity: 'lenient',
  skip_voting: false,
  disable_injection: false,
  defer_voting_until_all_answered: false,
  max_reminders: 3,
}

/** A real engine with real tools, workspaces and files; only the models are scripts. */
export class TeamBench {
  readonly folder: string
  /** Where the workspaces are. */
  readonly data: string
  readonly engine: Engine
  readonly envelopes: Envelope[] = []
  readonly chat: ChatId
  /** What each agent's model was asked. */
  readonly requests: Record<string, ModelRequest[]> = {}
  readonly #options: TeamOptions

  constructor(options: TeamOptions) {
    this.#options = options
    this.folder = options.folder ?? temporaryFolder()
    writeFiles(this.folder, options.files ?? {})
    this.data = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-data-')))
    const models = new Map(
      Object.entries(options.agents).map(([id, replies]) => [
        id,
        this.#recorded(id, Array.isArray(replies) ? scriptedModel(replies) : replies),
      ]),
    )
    const blobs = openBlobStore(join(this.data, 'blobs'))
    this.engine = new Engine({
      journal: options.journal ?? openMemoryJournal(),
      clock: systemClock,
      tools: builtinTools(),
      agent: async (id) => ({ id, model: models.get(id) ?? scriptedModel([]) }),
      files: openFiles,
      shell: options.shell ?? options.containers?.shared() ?? localShell(),
      platform: process.platform,
      team: () => openTeam({ data: this.data, blobs, containers: options.containers }),
      ...options.parts,
    })
    this.chat = this.engine.newChatId()
    const subscription = this.engine.subscribe(100_000)
    const listening = (async () => {
      for await (const envelope of subscription) this.envelopes.push(envelope)
    })()
    onTestFinished(async () => {
      subscription.close()
      await listening
      await this.engine.close()
      rmSync(this.data, { recursive: true, force: true })
    })
  }

  #recorded(id: string, model: Model): Model {
    const asked: ModelRequest[] = []
    this.requests[id] = asked
    return {
      ...model,
      stream: (request, signal, host) => {
        asked.push(structuredClone(request))
        return model.stream(request, signal, host)
      },
    }
  }

  /** Everything an agent's model was told, as one text. */
  told(id: string): string {
    return JSON.stringify(this.requests[id])
  }

  /** Sends the task to the team and returns the run at its end. */
  async run(text: string): Promise<RunState> {
    const id = await this.start(text)
    await this.engine.whenIdle(this.chat)
    return this.engine.run(id)
  }

  async start(text: string): Promise<RunId> {
    const { chat_id } = await this.engine.open(this.chat)
    if (chat_id !== this.chat) {
      await this.must({
        ...{ type: 'create_chat', chat_id: this.chat, folder: this.folder, title: text },
        agent_mode: this.#options.mode ?? 'Act',
      })
    }
    await this.must({ type: 'start_run', chat_id: this.chat, text, settings: this.settings() })
    const { open_run, turns } = await this.engine.open(this.chat)
    return open_run?.run_id ?? (turns?.last as RunId)
  }

  settings(): RunMessageSettings {
    const {
      agents,
      mode,
      team = 'multi',
      refinement = true,
      strategy,
      coordination,
      settings,
    } = this.#options
    const context_paths = settings?.context_paths ?? []
    const write_paths = context_paths.some(({ permission }) => permission === 'write')
    return {
      team_mode: team,
      refinement,
      agents: Object.keys(agents).map((id) => ({ id, speaks: 'tools' })),
      coordination: coordinationFor(
        { plan: mode === 'Plan', team, refinement, write_paths, ...(strategy && { strategy }) },
        { ...usualCoordination, ...coordination },
      ),
      turn: { permission: 'auto', max_iterations: 15, reflect: 'never' },
      context_paths,
      evidence: [],
      override: 'continue',
      budget: {},
      timeouts: { run_ms: 60_000, first_round_ms: null, later_round_ms: null, grace_ms: 5_000 },
      ...settings,
    }
  }

  async must(command: Parameters<Engine['execute']>[0]): Promise<void> {
    const result = await this.engine.execute(command)
    if (!result.accepted) throw new Error(result.reason)
  }

  /** The run's events of this type so far. */
  events<T extends RunEvent['type']>(type: T): Extract<RunEvent, { type: T }>[] {
    return this.envelopes.flatMap(({ stream, event }) =>
      stream.startsWith('run_') && event.type === type ? [event as Extract<RunEvent, { type: T }>] : [],
    )
  }

  /** The first envelope, past or future, that fits. */
  async until(fits: (envelope: Envelope) => boolean): Promise<Envelope> {
    for (;;) {
      const found = this.envelopes.find(fits)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
}

export const answers = (answer: string): ScriptedReply => ({
  calls: [{ name: 'new_answer', input: { answer } }],
})

/** Votes for the candidate whose answer holds these words. */
export const votesFor = (words: string, reason = 'it is the best'): ScriptedReply => ({
  calls: [{ name: 'vote', input: { agent_id: `{{candidate:${words}}}`, reason } }],
})

/** A script whose nth reply (from 0) comes only after something has happened. */
export function gated(
  replies: ScriptedReply[],
  gates: Record<number, (bench: TeamBench) => Promise<unknown>>,
  bench: () => TeamBench,
): Model {
  const model = scriptedModel(replies)
  return {
    label: model.label,
    async *stream(request, signal) {
      const given = request.messages.filter(({ role }) => role === 'assistant').length
      await gates[given]?.(bench())
      yield* model.stream(request, signal)
    },
  }
}
