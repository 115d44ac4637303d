import { type Rejected, isRejected } from '../core/aggregate.ts'
import { forkChat } from '../core/session/fork.ts'
import type { Fork, MeasuredChat, NewTurn, SessionInput } from '../core/session/input.ts'
import { type SessionEffect, session } from '../core/session/session.ts'
import { type OpenRun, type SessionState, actsInBackground, isBusy } from '../core/session/state.ts'
import type { RunState } from '../core/run/state.ts'
import { sha256 } from '../core/sha256.ts'
import type { TurnState } from '../core/turn/state.ts'
import type { ChatConfig, ChatMode } from '../schema/chat-config.ts'
import type { Command, CommandResult, MessageSettings, RunMessageSettings } from '../schema/command.ts'
import { type ChatId, type RunId, type TurnId, isRunId } from '../schema/ids.ts'
import type { Picture } from '../schema/picture.ts'
import type { RunSettings } from '../schema/run-event.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { Actor } from './actor.ts'
import { Conversations } from './conversations.ts'
import { Hub, type Subscription } from './hub.ts'
import { newId } from './ids.ts'
import type { EngineParts } from './parts.ts'
import { compactChat } from './perform/compact-chat.ts'
import { storePlan } from './perform/store-plan.ts'
import { findPictures, keepPicture } from './pictures.ts'
import { project } from './project.ts'
import { Runs } from './runs.ts'
import { answerDiff } from './team/answer-diff.ts'
import type { RunOrder } from './team/desk.ts'
import { type TurnOrder, Turns } from './turns.ts'

/** Exchanges that stay word for word when a person asks for a summary. */
const MANUAL_RECENT = 2

type SessionActor = Actor<SessionState, SessionInput, SessionEvent, SessionEffect>

/** The chat is being written by another living process. */
export class ChatInUse extends Error {
  constructor(chat: ChatId, owner: string) {
    super(`${chat} is open in ${owner}; close it there, or fork the chat`)
    this.name = 'ChatInUse'
  }
}

/** Runs chats: takes commands, keeps their logs, performs what they ask for. */
export class Engine {
  readonly #parts: EngineParts
  readonly #hub: Hub
  readonly #turns: Turns
  readonly #runs: Runs
  readonly #chats = new Map<ChatId, Promise<SessionActor>>()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#hub = new Hub(parts.journal)
    this.#turns = new Turns(parts, this.#hub, new Conversations(parts.journal))
    this.#runs = new Runs(this.#turns, this.#hub)
    this.#turns.runTeam = (order, signal) => this.#runs.run(order, signal)
  }

  newChatId(): ChatId {
    return newId('chat', this.#parts.clock.now())
  }

  subscribe(backlog?: number): Subscription {
    return this.#hub.subscribe(backlog)
  }

  /** Opens a stored chat. A turn that a dead process left open goes on at once. */
  async open(chat: ChatId): Promise<SessionState> {
    return (await this.#chat(chat)).state
  }

  /** Opens a chat, and says how much of its log its state is of. */
  async head(chat: ChatId): Promise<{ state: SessionState; seq: number }> {
    return (await this.#chat(chat)).head()
  }

  async execute(command: Command): Promise<CommandResult> {
    const refused = await this.#dispatch(command)
    return refused ? { accepted: false, reason: refused.rejected } : { accepted: true }
  }

  /** The chat's state as soon as no turn is under way and its plan is in its folder. Fails when the journal does. */
  async whenIdle(chat: ChatId): Promise<SessionState> {
    return (await this.#chat(chat)).when((state) => session.effects(state).length === 0)
  }

  run(run: RunId): Promise<RunState> {
    return this.#runs.read(run)
  }

  /** What an answer of a run changes. */
  async diff(run: RunId, label: string): Promise<string | undefined> {
    return answerDiff(this.#parts, await this.#runs.read(run), label)
  }

  /** Safe on disk when it returns; messages name it by its id. */
  keepPicture(bytes: Uint8Array): Promise<Picture | Rejected> {
    return keepPicture(this.#parts.pictures, bytes)
  }

  async readPicture(id: string): Promise<Uint8Array | undefined> {
    return this.#parts.pictures?.read(id)
  }

  turn(turn: TurnId): Promise<TurnState> {
    return this.#turns.read(turn)
  }

  /** Ends all work where it is. Nothing is decided: what is open in the logs is resumed by whoever opens them next. */
  async close(): Promise<void> {
    const chats = await Promise.allSettled(this.#chats.values())
    await Promise.all(chats.map((chat) => (chat.status === 'fulfilled' ? chat.value.stop() : undefined)))
    await this.#parts.close?.()
    await this.#parts.journal.close()
  }

  async #dispatch(command: Command): Promise<Rejected | undefined> {
    switch (command.type) {
      case 'create_chat': {
        const { chat_id, folder, title } = command
        const fork = command.fork && (await this.#fork(command.fork))
        if (fork && isRejected(fork)) return fork
        const config = { agent_mode: command.agent_mode ?? fork?.agent_mode ?? 'Act' }
        return (await this.#chat(chat_id)).send({ type: 'create', chat_id, folder, title, config, fork })
      }
      case 'send_message': {
        const { type, text } = command
        const actor = await this.#chat(command.chat_id)
        const measured = await this.#measure(actor.state)
        const pictures = await findPictures(this.#parts.pictures, command.pictures)
        if (isRejected(pictures)) return pictures
        return actor.send({ type, text, pictures, turn: this.#newTurn(command), measured })
      }
      case 'start_run': {
        const { type, chat_id, text, settings } = command
        const run_id = newId('run', this.#parts.clock.now())
        const actor = await this.#chat(chat_id)
        const measured = await this.#measure(actor.state)
        const pictures = await findPictures(this.#parts.pictures, command.pictures)
        if (isRejected(pictures)) return pictures
        const asked = { text, pictures, run_id, settings: this.#runSettings(run_id, settings) }
        return actor.send({ type, ...asked, measured })
      }
      case 'set_team': {
        const { chat_id, ...input } = command
        return (await this.#chat(chat_id)).send(input)
      }
      case 'execute_plan': {
        const { chat_id, agent_id: _, settings: __, reviews = [], ...rest } = command
        const actor = await this.#chat(chat_id)
        const measured = await this.#measure(actor.state)
        return actor.send({ ...rest, reviews, turn: this.#newTurn(command), measured })
      }
      case 'compact_chat': {
        const { agent_id, preserve_recent = MANUAL_RECENT } = command
        const actor = await this.#chat(command.chat_id)
        const measured = await this.#turns.conversations.measure(actor.state, preserve_recent)
        return actor.send({ type: 'compact', agent_id, preserve_recent, measured })
      }
      case 'reject_plan':
      case 'import_plan': {
        const { chat_id, ...input } = command
        return (await this.#chat(chat_id)).send(input)
      }
      case 'set_agent_mode': {
        const { type, chat_id, agent_mode } = command
        if (command.confirm) await this.#stopWork(chat_id, agent_mode)
        const refused = await (await this.#chat(chat_id)).send({ type, agent_mode })
        if (!refused && agent_mode === 'Plan') await this.#endWork(chat_id)
        return refused
      }
      case 'interrupt': {
        const actor = await this.#chat(command.chat_id)
        if (command.run_id) return this.#stopRun(command.run_id, command.limit)
        const { compacting, open_turn, open_run } = actor.state
        if (compacting) await actor.send({ type: 'stop_compaction' })
        if (open_run) return this.#stopRun(open_run.run_id, command.limit)
        if (!open_turn) return compacting ? undefined : { rejected: 'nothing is under way' }
        return this.#turns.send(open_turn.turn_id, { type: 'interrupt', limit: command.limit })
      }
      case 'give_guidance':
        return this.#turns.send(command.turn_id, { type: 'give_guidance', text: command.text })
      case 'answer_pending': {
        const { type, turn_id, pending_id, answer, by } = command
        const input = { type, pending_id, answer, by }
        if (!isRunId(turn_id)) return this.#turns.send(turn_id, input)
        return this.#runs.send(turn_id, { ...input, now: this.#parts.clock.now() })
      }
    }
  }

  #newTurn({ agent_id, settings }: { agent_id: string; settings: MessageSettings }): NewTurn {
    const turn_id = newId('turn', this.#parts.clock.now())
    const launch = this.#parts.interactive?.launch
    const tools = this.#turns.traits().filter(({ launches }) => launch || !launches)
    return { turn_id, agent_id, settings: { ...settings, tools, ...(launch && { launch }) } }
  }

  /** The run is stored as it was asked for; its tools are those of this program. */
  #runSettings(run_id: RunId, { seed, turn, ...settings }: RunMessageSettings): RunSettings {
    const tools = this.#turns.traits()
    return {
      ...settings,
      // The ids hold chance, and are in the log.
      seed: seed ?? Number.parseInt(sha256(run_id).slice(0, 8), 16),
      sees_chat: true,
      turn: { ...turn, mode: 'Plan', tools },
    }
  }

  #stopRun(run_id: RunId, limit?: string): Promise<Rejected | undefined> {
    return this.#runs.send(run_id, {
      type: 'interrupt',
      ...(limit && { limit }),
      now: this.#parts.clock.now(),
    })
  }

  /** In Plan mode nothing acts, in the background either. */
  async #stopWork(chat: ChatId, into: ChatMode): Promise<void> {
    const actor = await this.#chat(chat)
    if (actor.state.compacting) await actor.send({ type: 'stop_compaction' })
    const { open_turn, open_run, background } = actor.state
    if (open_turn) await this.#turns.send(open_turn.turn_id, { type: 'interrupt' })
    if (open_run) await this.#stopRun(open_run.run_id)
    const acting = background.filter(({ settings }) => into === 'Plan' && settings.turn.mode === 'Act')
    await Promise.all(acting.map(({ run_id }) => this.#stopRun(run_id)))
    await actor.when((state) => !isBusy(state) && !(into === 'Plan' && actsInBackground(state)))
  }

  /** What was left running in Act mode must not write on in Plan mode. */
  async #endWork(chat: ChatId): Promise<void> {
    await Promise.all(this.#parts.tools.map((tool) => tool.endWork?.(chat)))
  }

  async #fork({ chat_id, at }: { chat_id: ChatId; at?: string }): Promise<(Fork & ChatConfig) | Rejected> {
    const events = await this.#parts.journal.read(chat_id)
    return forkChat(
      chat_id,
      events.map(({ event }) => event as SessionEvent),
      at,
    )
  }

  /** Only where the rule about summarising will be asked. */
  async #measure(chat: SessionState): Promise<MeasuredChat | undefined> {
    const { compaction: settings } = this.#parts
    if (!settings?.enabled || isBusy(chat)) return undefined
    return { ...(await this.#turns.conversations.measure(chat, settings.preserve_recent)), settings }
  }

  #chat(chat: ChatId): Promise<SessionActor> {
    let opening = this.#chats.get(chat)
    if (!opening) {
      opening = this.#openChat(chat)
      this.#chats.set(chat, opening)
      opening.catch(() => this.#chats.delete(chat))
    }
    return opening
  }

  async #openChat(chat: ChatId): Promise<SessionActor> {
    const { journal, clock } = this.#parts
    const claim = await journal.acquire(chat)
    if (!claim.acquired) throw new ChatInUse(chat, claim.owner)
    const actor: SessionActor = new Actor({
      stream: chat,
      aggregate: session,
      journal,
      clock,
      publish: (envelopes) => this.#hub.publish(envelopes),
      perform: (effect, signal) => this.#perform(actor, effect, signal),
      onBug: (error) => {
        throw error
      },
      index: project,
    })
    await actor.load()
    actor.start()
    return actor
  }

  async #perform(actor: SessionActor, effect: SessionEffect, signal: AbortSignal): Promise<SessionInput> {
    if (effect.type === 'compact') return compactChat(this.#turns, actor.state, effect.order, signal)
    if (effect.type === 'store_plan') {
      return storePlan(this.#parts.files(actor.state.folder), actor.state.chat_id, effect.plan)
    }
    if (effect.type === 'run_run') return this.#runTeam(actor, effect, signal)
    const { turn_id, agent_id } = effect
    const order = {
      chat: actor.state,
      ...effect,
      onPending: ((pending, from = { turn_id, agent_id }) =>
        void actor.send({ type: 'note_pending', ...from, pending })) satisfies TurnOrder['onPending'],
      background: {
        runs: () => actor.state.background,
        launch: (run: OpenRun) => actor.send({ type: 'launch_run', ...run }),
      },
    }
    const { outcome, answer, grants, steps } = await this.#turns.run(order, signal)
    return { type: 'turn_ended', turn_id, agent_id, outcome, answer, grants, steps }
  }

  async #runTeam(
    actor: SessionActor,
    { run_id, prompt, pictures, settings }: OpenRun,
    signal: AbortSignal,
  ): Promise<SessionInput> {
    const onPending: RunOrder['onPending'] = (pending, from) =>
      void actor.send({ type: 'note_pending', ...from, pending })
    const { finished, presenter, usage } = await this.#runs.run(
      { chat: actor.state, run_id, prompt, ...(pictures && { pictures }), settings, onPending },
      signal,
    )
    return {
      type: 'run_ended',
      run_id,
      ...(presenter && { agent_id: presenter.agent }),
      outcome: finished?.status ?? 'failed',
      answer: finished?.final_answer ?? '',
      usage,
    }
  }
}
