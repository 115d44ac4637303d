import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { type ScriptedReply, scriptedModel } from '../../src/adapters/models/scripted.ts'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineParts } from '../../src/engine/parts.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Model } from '../../src/ports/model.ts'
import type { Shell } from '../../src/ports/shell.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import { type ChatId, isTurnId } from '../../src/schema/ids.ts'
import type { TurnEvent, TurnSettings } from '../../src/schema/turn-event.ts'
import type { TurnState } from '../../src/core/turn/state.ts'
import { builtinTools } from '../../src/tools/registry.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { temporaryFolder }

export interface WorkbenchOptions {
  files?: Record<string, string>
  replies?: ScriptedReply[]
  model?: Model
  journal?: Journal
  folder?: string
  /** Beside the built-in ones. */
  tools?: Tool[]
  shell?: Shell
  /** What the engine is given besides. */
  parts?: Partial<EngineParts>
}

/** A real engine with real tools in a real folder; only the model is a script. */
export class Workbench {
  readonly folder: string
  readonly engine: Engine
  readonly journal: Journal
  readonly envelopes: Envelope[] = []
  readonly chat: ChatId
  readonly #listening: Promise<void>

  constructor(options: WorkbenchOptions) {
    const { files = {}, replies = [], model, journal = openMemoryJournal(), folder } = options
    this.folder = folder ?? temporaryFolder()
    writeFiles(this.folder, files)
    this.journal = journal
    this.engine = new Engine({
      journal,
      clock: systemClock,
      tools: [...builtinTools(), ...(options.tools ?? [])],
      agent: async (id) => ({ id, model: model ?? scriptedModel(replies) }),
      files: openFiles,
      shell: options.shell ?? localShell(),
      platform: process.platform,
      ...options.parts,
    })
    this.chat = this.engine.newChatId()
    const subscription = this.engine.subscribe(100_000)
    this.#listening = (async () => {
      for await (const envelope of subscription) this.envelopes.push(envelope)
    })()
    onTestFinished(async () => {
      subscription.close()
      await this.#listening
      await this.engine.close()
    })
  }

  /** Sends a message and returns the turn at its end. */
  async run(text: string, settings: Partial<TurnSettings> = {}): Promise<TurnState> {
    const turn = await this.start(text, settings)
    await this.engine.whenIdle(this.chat)
    await this.until(({ event }) => event.type === 'turn.closed' && event.turn_id === turn)
    return this.engine.turn(turn)
  }

  /** The first envelope, past or future, that fits. */
  async until(fits: (envelope: Envelope) => boolean): Promise<Envelope> {
    for (;;) {
      const found = this.envelopes.find(fits)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  /** Sends a message and returns the id of the turn that began. */
  async start(text: string, { mode, ...settings }: Partial<TurnSettings> = {}) {
    const { chat_id } = await this.engine.open(this.chat)
    if (chat_id !== this.chat) {
      await this.must({
        type: 'create_chat',
        chat_id: this.chat,
        folder: this.folder,
        title: text,
        agent_mode: mode,
      })
    }
    await this.must({
      type: 'send_message',
      chat_id: this.chat,
      text,
      agent_id: 'a',
      settings: { permission: 'auto', max_iterations: 15, reflect: 'never', ...settings },
    })
    const { open_turn, turns } = await this.engine.open(this.chat)
    const id = open_turn?.turn_id ?? turns?.last
    if (!id || !isTurnId(id)) throw new Error('no turn began')
    return id
  }

  async must(command: Parameters<Engine['execute']>[0]): Promise<void> {
    const result = await this.engine.execute(command)
    if (!result.accepted) throw new Error(result.reason)
  }

  /** The stored events of all turns so far, in the order they were published. */
  turnEvents(): TurnEvent[] {
    return this.envelopes.flatMap(({ stream, seq, event }) =>
      stream.startsWith('turn_') && seq !== null ? [event as TurnEvent] : [],
    )
  }

  /** The first stored event of a turn, past or future, of this type. */
  async event<T extends TurnEvent['type']>(type: T): Promise<Extract<TurnEvent, { type: T }>> {
    return (await this.until(({ event }) => event.type === type)).event as Extract<TurnEvent, { type: T }>
  }
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
