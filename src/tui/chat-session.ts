import type { ChatFeed, Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Command, CommandResult } from '../schema/command.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId, RunId, TurnId } from '../schema/ids.ts'
import type { NamedPicture } from '../schema/picture.ts'
import { beginChat, foldEarlier } from '../view/chat-history.ts'
import { type ChatView, emptyChatView, foldAll, foldChat } from '../view/chat-view.ts'
import { noLive } from '../view/live.ts'
import { modeState } from '../view/mode-bar.ts'
import { sectionAt } from '../view/transcript.ts'
import { Counted } from './counted.ts'
import { createChat } from './create-chat.ts'
import { messageCommand } from './message-command.ts'

/** How many of the newest turns and runs come with their logs when a chat is opened. */
const PAGE = 20

/** Of the chat's own log: about sixty exchanges at first, more when somebody scrolls up to them. */
const FIRST_PART = 300
const NEXT_PART = 1_000

/** What takes longer to open is looked at first. */
const GLANCE_AFTER_MS = 50

/** After so many more turns and runs the old ones are let go of; scrolling up reads them again. */
const FORGET_AFTER = 100

export interface SessionParts {
  client: Client
  roster: Roster
  config: Partial<ChatConfig>
  onChange: (envelope?: Envelope) => void
  onFailure: (error: unknown) => void
  /** Takes in what was read of the past: the screen stays where it is. */
  onRead: (takeIn: () => void) => void
  /** Only the end of the chat is on the screen. */
  isAtEnd: () => boolean
}

/** The chat on the screen. It is created with its first message; until then its modes are kept here. */
export class ChatSession {
  view: ChatView
  readonly #parts: SessionParts
  #chat: ChatId | undefined
  #feed: ChatFeed | undefined
  /** What is being opened: nothing is sent before it is there. */
  #opening: Promise<void> | undefined
  /** Changes with what is shown, or is to be. */
  #shown = 0
  #glanced = false
  #reads: Promise<unknown> = Promise.resolve()
  #reading = 0
  /** Turns and runs that ended, or were read, since the chat was opened. */
  #grown = 0
  #counted = new Counted()

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.view = draft(parts.config)
  }

  get chat(): ChatId | undefined {
    return this.#chat
  }

  /** How many events of the chat's own log are not here. */
  get unread_log(): number {
    return this.#feed?.unread_log ?? 0
  }

  /** Something of the past is being read. */
  get reading(): boolean {
    return this.#reading > 0
  }

  /** Only the end of what was said is there yet. */
  get opening(): boolean {
    return this.#glanced
  }

  /** Shows the end of a stored chat; what a dead process left open goes on. */
  async open(chat: ChatId): Promise<void> {
    const opening = this.#open(chat)
    const over = opening
      .catch(() => undefined)
      .then(() => {
        if (this.#opening === over) this.#opening = undefined
      })
    this.#opening = over
    await opening
  }

  /** The turns and runs between two places of the transcript whose logs were not read. */
  unreadBetween(from: number, to: number): (TurnId | RunId)[] {
    const { unread = [] } = this.#feed ?? {}
    if (unread.length === 0) return []
    const ids = new Set<string>()
    for (let place = Math.max(0, from); place < to; place++) {
      const section = sectionAt(this.view.transcript, place)
      if (section && !section.loaded) ids.add(section.id)
    }
    return ids.size === 0 ? [] : unread.filter((id) => ids.has(id))
  }

  /** Reads more of what was said, when there is more. */
  readEarlier(count = NEXT_PART): Promise<void> {
    return this.#read(async (feed) => {
      const before = feed.unread.length
      const log = await feed.earlier(count)
      this.#grown += feed.unread.length - before
      return (view) => ({ ...foldEarlier(view, log), usage: this.#counted.add(view.usage, log) })
    })
  }

  /** Reads how the answers of these turns and runs came about. */
  readSteps(ids: readonly (TurnId | RunId)[]): Promise<void> {
    return this.#read(async (feed) => {
      const again = await feed.logsOf(ids.filter((id) => this.#counted.has(id)))
      const more = await feed.logsOf(ids)
      this.#grown += ids.length
      return (view) => foldAll({ ...foldAll(view, again), usage: view.usage }, more)
    })
  }

  /** An empty chat in the same modes. */
  startNew(): void {
    this.#shown++
    this.#glanced = false
    this.close()
    this.#chat = undefined
    this.#counted = new Counted()
    this.view = draft(this.view.config)
    this.#parts.onChange()
  }

  async send(text: string, folder: string, pictures: NamedPicture[] = []): Promise<CommandResult> {
    const created = await this.#ensure(text, folder)
    if (!created.accepted || !this.#chat) return created
    const { client, roster } = this.#parts
    const ids = roster.agents.map(({ id }) => id)
    const mode = modeState(this.view, { agents: ids, interactive: roster.interactive })
    return client.execute(messageCommand(roster, mode, this.#chat, { text, pictures }))
  }

  /** Carries a command out; a change of modes before the first message is only noted. */
  async execute(command: Command): Promise<CommandResult> {
    await this.#opening
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
      if (type === 'turn.closed' || type === 'run.closed') this.#grown++
      if (this.#grown >= FORGET_AFTER && this.#mayForget()) await this.#forget(feed)
    }
  }

  #show(feed: ChatFeed, view: ChatView): void {
    this.#feed?.close()
    this.#feed = feed
    const { onConnection } = feed
    feed.onConnection = (state) => {
      onConnection?.(state)
      // What was being written goes on elsewhere, or begins anew: it is not added to.
      if (state === 'reconnecting' && this.#feed === feed) this.view = { ...this.view, live: noLive }
      this.#parts.onChange()
    }
    this.#grown = 0
    this.view = view
    this.#parts.onChange()
    this.#follow(feed).catch(this.#parts.onFailure)
  }

  #mayForget(): boolean {
    const { under_way, pendings, run } = this.view
    const idle = under_way === null && pendings.length === 0 && run?.status !== 'working'
    return idle && !this.reading && this.#parts.isAtEnd()
  }

  async #open(chat: ChatId): Promise<void> {
    const begun = ++this.#shown
    const timer = setTimeout(() => void this.#glance(chat).catch(() => undefined), GLANCE_AFTER_MS)
    const feed = await this.#begin(chat)
      .catch((error: unknown) => {
        if (this.#glanced && this.#shown === begun) this.startNew()
        throw error
      })
      .finally(() => clearTimeout(timer))
    // The person has gone elsewhere meanwhile.
    if (this.#shown !== begun) return feed.close()
    this.#glanced = false
    this.#shown++
    this.#chat = chat
    this.#counted = new Counted()
    const view = beginning(chat, feed)
    this.#counted.add(view.usage, feed.head?.log ?? [])
    this.#show(feed, view)
  }

  /** The end of what was said, while a long chat is being opened. */
  async #glance(chat: ChatId): Promise<void> {
    const begun = this.#shown
    const log = await this.#parts.client.glance(chat, FIRST_PART)
    if (this.#shown !== begun) return
    this.close()
    this.#chat = undefined
    this.#glanced = true
    const { config } = this.view
    this.view = { ...foldEarlier({ ...emptyChatView, config }, log), under_way: null }
    this.#parts.onChange()
  }

  #begin(chat: ChatId): Promise<ChatFeed> {
    return this.#parts.client.open(chat, { exchanges: PAGE, log: FIRST_PART })
  }

  /** Reads the end of the chat anew and lets go of all before it. What it cost stays as it was counted. */
  async #forget(from: ChatFeed): Promise<void> {
    const chat = this.#chat
    if (!chat) return
    const feed = await this.#begin(chat)
    if (this.#feed !== from) return feed.close()
    this.#counted.note(this.view)
    const { usage, run } = this.view
    const view = beginning(chat, feed)
    this.#show(feed, { ...view, usage, run: view.run ?? run })
  }

  /** One at a time. What is read of a chat that is no longer shown is dropped. */
  #read(read: (feed: ChatFeed) => Promise<(view: ChatView) => ChatView>): Promise<void> {
    this.#reading++
    const done = this.#reads.then(async () => {
      const feed = this.#feed
      const takeIn = feed && (await read(feed))
      if (!takeIn || this.#feed !== feed) return
      this.#parts.onRead(() => (this.view = takeIn(this.view)))
    })
    this.#reads = done.catch(() => undefined)
    return done.finally(() => {
      this.#reading--
      this.#parts.onChange()
    })
  }

  async #ensure(text: string, folder: string): Promise<CommandResult> {
    await this.#opening
    if (this.#chat) return { accepted: true }
    const created = await createChat(this.#parts.client, { text, folder, config: this.view.config })
    if (typeof created !== 'string') return created
    await this.open(created)
    return { accepted: true }
  }
}

const beginning = (chat: ChatId, { head, first }: ChatFeed): ChatView =>
  foldAll(head ? foldEarlier(beginChat(chat, head), head.log) : emptyChatView, first)

const draft = (config: Partial<ChatConfig>): ChatView => ({
  ...emptyChatView,
  config: { agent_mode: 'Act', ...config },
})
