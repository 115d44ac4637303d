import type { ChatFeed, Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Command, CommandResult } from '../schema/command.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId } from '../schema/ids.ts'
import { type ChatView, emptyChatView, foldAll, foldChat } from '../view/chat-view.ts'
import { modeState } from '../view/mode-bar.ts'
import { messageCommand } from './message-command.ts'

/** How many of the newest turns are read when a chat is opened, and how many more when one scrolls up to them. */
const PAGE = 20

/** After so many more turns and runs the old ones are let go of; scrolling up reads them again. */
const FORGET_AFTER = 100

export interface SessionParts {
  client: Client
  roster: Roster
  config: Partial<ChatConfig>
  onChange: (envelope?: Envelope) => void
  onFailure: (error: unknown) => void
  /** Only the end of the chat is on the screen. */
  isAtEnd: () => boolean
}

/** The chat on the screen. It is created with its first message; until then its modes are kept here. */
export class ChatSession {
  view: ChatView
  readonly #parts: SessionParts
  #chat: ChatId | undefined
  #feed: ChatFeed | undefined
  #reading = false
  /** Turns and runs that ended since the chat was read. */
  #ended = 0
  /** What is read again has been counted already. */
  #counted = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.view = draft(parts.config)
  }

  get chat(): ChatId | undefined {
    return this.#chat
  }

  /** Shows a stored chat; what a dead process left open goes on. */
  async open(chat: ChatId): Promise<void> {
    const feed = await this.#parts.client.open(chat, { exchanges: PAGE })
    this.#chat = chat
    this.#counted = false
    this.#show(feed, foldAll(emptyChatView, feed.first))
  }

  /** Reads what came before, when there is more. */
  async readOlder(): Promise<void> {
    const feed = this.#feed
    if (!feed || this.#reading || feed.unread.length === 0) return
    this.#reading = true
    try {
      const older = await feed.older(PAGE)
      if (this.#feed !== feed) return
      const { usage } = this.view
      const view = foldAll(this.view, older)
      this.view = this.#counted ? { ...view, usage } : view
      this.#parts.onChange()
    } finally {
      this.#reading = false
    }
  }

  /** An empty chat in the same modes. */
  startNew(): void {
    this.close()
    this.#chat = undefined
    this.view = draft(this.view.config)
    this.#parts.onChange()
  }

  async send(text: string, folder: string): Promise<CommandResult> {
    const created = await this.#ensure(text, folder)
    if (!created.accepted || !this.#chat) return created
    const { client, roster } = this.#parts
    const ids = roster.agents.map(({ id }) => id)
    const mode = modeState(this.view, { agents: ids, interactive: roster.interactive })
    return client.execute(messageCommand(roster, mode, this.#chat, text))
  }

  /** Carries a command out; a change of modes before the first message is only noted. */
  async execute(command: Command): Promise<CommandResult> {
    if (this.#chat) return this.#parts.client.execute(command)
    const { config } = this.view
    if (command.type === 'set_agent_mode') this.view = draft({ ...config, agent_mode: command.agent_mode })
    else if (command.type === 'set_team') {
      const { type: _, chat_id: __, ...team } = command
      this.view = draft({ ...config, ...team })
    } else return { accepted: false, reason: 'there is no chat yet: send a message first' }
    this.#parts.onChange()
    return { accepted: true }
  }

  close(): void {
    this.#feed?.close()
    this.#feed = undefined
  }

  async #follow(feed: ChatFeed): Promise<void> {
    for await (const envelope of feed) {
      if (this.#feed !== feed) return
      this.view = foldChat(this.view, envelope)
      this.#parts.onChange(envelope)
      const { type } = envelope.event
      if (type === 'turn.closed' || type === 'run.closed') this.#ended++
      if (this.#ended >= FORGET_AFTER && this.#mayForget()) await this.#forget(feed)
    }
  }

  #show(feed: ChatFeed, view: ChatView): void {
    this.#feed?.close()
    this.#feed = feed
    this.#ended = 0
    this.view = view
    this.#parts.onChange()
    this.#follow(feed).catch(this.#parts.onFailure)
  }

  #mayForget(): boolean {
    const { under_way, pendings, run } = this.view
    const idle = under_way === null && pendings.length === 0 && run?.status !== 'working'
    return idle && !this.#reading && this.#parts.isAtEnd()
  }

  /** Reads the chat anew, with the logs of its newest turns only. What it cost stays as it was counted. */
  async #forget(from: ChatFeed): Promise<void> {
    if (!this.#chat) return
    const feed = await this.#parts.client.open(this.#chat, { exchanges: PAGE })
    if (this.#feed !== from) return feed.close()
    const { usage } = this.view
    this.#counted = true
    this.#show(feed, { ...foldAll(emptyChatView, feed.first), usage })
  }

  async #ensure(text: string, folder: string): Promise<CommandResult> {
    if (this.#chat) return { accepted: true }
    const { client } = this.#parts
    const chat_id = await client.newChatId()
    const { agent_mode, ...team } = this.view.config
    const create = { type: 'create_chat', chat_id, folder, title: titleOf(text), agent_mode } as const
    const created = await client.execute(create)
    if (!created.accepted) return created
    if (Object.keys(team).length > 0) {
      const set = await client.execute({ type: 'set_team', chat_id, ...team })
      if (!set.accepted) return set
    }
    await this.open(chat_id)
    return { accepted: true }
  }
}

const draft = (config: Partial<ChatConfig>): ChatView => ({
  ...emptyChatView,
  config: { agent_mode: 'Act', ...config },
})

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
