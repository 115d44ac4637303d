import { type Rejected, isRejected, reject } from '../core/aggregate.ts'
import { toArray } from '../core/list.ts'
import type { Fork, NewTurn, SessionInput } from '../core/session/input.ts'
import { type SessionEffect, session } from '../core/session/session.ts'
import type { SessionState } from '../core/session/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Command, CommandResult, MessageSettings } from '../schema/command.ts'
import type { ChatId, TurnId } from '../schema/ids.ts'
import type { Pending } from '../schema/pending.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { Actor } from './actor.ts'
import { Conversations } from './conversations.ts'
import { Hub, type Subscription } from './hub.ts'
import { newId } from './ids.ts'
import type { EngineParts } from './parts.ts'
import { storePlan } from './perform/store-plan.ts'
import { project } from './project.ts'
import { Turns } from './turns.ts'

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
  readonly #chats = new Map<ChatId, Promise<SessionActor>>()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#hub = new Hub(parts.journal)
    this.#turns = new Turns(parts, this.#hub, new Conversations(parts.journal))
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

  async execute(command: Command): Promise<CommandResult> {
    const refused = await this.#dispatch(command)
    return refused ? { accepted: false, reason: refused.rejected } : { accepted: true }
  }

  /** The chat's state as soon as no turn is under way and its plan is in its folder. Fails when the journal does. */
  async whenIdle(chat: ChatId): Promise<SessionState> {
    return (await this.#chat(chat)).when((state) => session.effects(state).length === 0)
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
        const fork = command.fork && (await this.#fork(command.fork.chat_id))
        if (fork && isRejected(fork)) return fork
        const config = { agent_mode: command.agent_mode ?? fork?.agent_mode ?? 'Act' }
        return (await this.#chat(chat_id)).send({ type: 'create', chat_id, folder, title, config, fork })
      }
      case 'send_message': {
        const { type, text } = command
        return (await this.#chat(command.chat_id)).send({ type, text, turn: this.#newTurn(command) })
      }
      case 'execute_plan': {
        const { chat_id, agent_id: _, settings: __, reviews = [], ...rest } = command
        return (await this.#chat(chat_id)).send({ ...rest, reviews, turn: this.#newTurn(command) })
      }
      case 'reject_plan':
      case 'import_plan': {
        const { chat_id, ...input } = command
        return (await this.#chat(chat_id)).send(input)
      }
      case 'set_agent_mode': {
        const { type, chat_id, agent_mode } = command
        if (command.confirm) await this.#stopWork(chat_id)
        const refused = await (await this.#chat(chat_id)).send({ type, agent_mode })
        if (!refused && agent_mode === 'Plan') await this.#endWork(chat_id)
        return refused
      }
      case 'interrupt': {
        const { state } = await this.#chat(command.chat_id)
        if (!state.open_turn) return { rejected: 'nothing is under way' }
        return this.#turns.send(state.open_turn.turn_id, { type: 'interrupt', limit: command.limit })
      }
      case 'give_guidance':
        return this.#turns.send(command.turn_id, { type: 'give_guidance', text: command.text })
      case 'answer_pending': {
        const { type, pending_id, answer, by } = command
        return this.#turns.send(command.turn_id, { type, pending_id, answer, by })
      }
    }
  }

  #newTurn({ agent_id, settings }: { agent_id: string; settings: MessageSettings }): NewTurn {
    const turn_id = newId('turn', this.#parts.clock.now())
    return { turn_id, agent_id, settings: { ...settings, tools: this.#turns.traits() } }
  }

  async #stopWork(chat: ChatId): Promise<void> {
    const actor = await this.#chat(chat)
    if (!actor.state.open_turn) return
    await this.#turns.send(actor.state.open_turn.turn_id, { type: 'interrupt' })
    await actor.when((state) => state.open_turn === null)
  }

  /** What was left running in Act mode must not write on in Plan mode. */
  async #endWork(chat: ChatId): Promise<void> {
    await Promise.all(this.#parts.tools.map((tool) => tool.endWork?.(chat)))
  }

  /** A fork takes over the mode and what was said and done, and leaves the unfinished turn behind. */
  async #fork(chat_id: ChatId): Promise<(Fork & ChatConfig) | Rejected> {
    const source = await this.#read(chat_id)
    if (source.chat_id !== chat_id) return reject(`there is no chat ${chat_id} to fork`)
    const open = source.open_turn?.turn_id
    const messages = toArray(source.messages).filter(
      ({ turn_id }) => turn_id === undefined || turn_id !== open,
    )
    return { chat_id, ...source.config, turns: toArray(source.turns), messages }
  }

  async #read(chat: ChatId): Promise<SessionState> {
    const events = await this.#parts.journal.read(chat)
    return events.reduce((state, { event }) => session.evolve(state, event as SessionEvent), session.initial)
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
    if (effect.type === 'store_plan') {
      return storePlan(this.#parts.files(actor.state.folder), actor.state.chat_id, effect.plan)
    }
    const { turn_id, agent_id } = effect
    const order = {
      chat: actor.state,
      ...effect,
      onPending: (pending: Pending) => void actor.send({ type: 'note_pending', turn_id, agent_id, pending }),
    }
    const { outcome, answer, grants, steps } = await this.#turns.run(order, signal)
    return { type: 'turn_ended', turn_id, agent_id, outcome, answer, grants, steps }
  }
}
