import type { Command, CommandResult, MessageSettings, RunMessageSettings } from '../schema/command.ts'
import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import type { ChatHead } from '../view/chat-history.ts'
import type { Picture } from '../schema/picture.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../schema/ids.ts'

/** The engine as a face sees it, in the same process or behind a server. */
export interface Client {
  execute(command: Command): Promise<CommandResult>
  /** An id for `create_chat`. */
  newChatId(): Promise<ChatId>
  /** The latest first. */
  chats(): Promise<ChatSummary[]>
  search(words: string): Promise<ChatHit[]>
  /** All chats, then those that change, until the signal. A lost connection is made anew. */
  watchChats(
    signal: AbortSignal,
    onConnection?: (state: 'connected' | 'reconnecting') => void,
  ): AsyncIterable<ChatChanges>
  /**
   * Opens a chat and follows it. What an interrupted process left open goes on at once. Fails with `ClientError` when
   * there is no such chat.
   */
  open(chat: ChatId, options?: OpenOptions): Promise<ChatFeed>
  /** The end of what was said, without opening the chat: quick however long the chat is. For `foldEarlier`. */
  glance(chat: ChatId, count: number): Promise<StoredEnvelope[]>
  /** One log from its beginning or from after a sequence number, for what a view only refers to. */
  read(stream: StreamId, after?: number, limit?: number): Promise<StoredEnvelope[]>
  /**
   * What an answer of a run changes, as a unified diff; empty when it changes nothing, undefined when it is not known
   * any more.
   */
  diff(run: RunId, label: string): Promise<string | undefined>
  /** Keeps a picture for a message that will name it. Fails with `ClientError` when it is none that models take. */
  keepPicture(bytes: Uint8Array): Promise<Picture>
  picture(id: string): Promise<Uint8Array | undefined>
  /** Who can work here, and how a message is sent. */
  roster(): Promise<Roster>
  close(): Promise<void>
}

export interface OpenOptions {
  /** How many of the newest turns and runs come with their logs (20). */
  exchanges?: number
  /** About how many of the newest events of the chat's own log come; all of them without it. */
  log?: number
  signal?: AbortSignal
}

/**
 * A chat's envelopes: `first` holds the whole log of the chat and the logs of its newest turns and runs; iterating gives
 * what comes after, each stored envelope once and the envelopes of a stream in order. Iterate once.
 */
export interface ChatFeed extends AsyncIterable<Envelope> {
  first: Envelope[]
  /**
   * When `log` was asked for: what the chat has come to, and the end of its own log. `first` is then without the chat's
   * own log: begin with `beginChat`, put `log` before it with `foldEarlier`, and fold `first` and the rest as always.
   */
  readonly head?: ChatHead & { log: StoredEnvelope[] }
  /** How many events of the chat's own log were not read. */
  readonly unread_log: number
  /** About so many of them, the newest, for `foldEarlier`. Their turns and runs are added to `unread`. */
  earlier(count?: number): Promise<StoredEnvelope[]>
  /** Turns and runs whose logs were not read, oldest first. */
  readonly unread: readonly (TurnId | RunId)[]
  /** The logs of so many turns and runs before those that were read. */
  older(count?: number): Promise<StoredEnvelope[]>
  /** The logs of these, as far as they are among `unread`. */
  logsOf(ids: readonly (TurnId | RunId)[]): Promise<StoredEnvelope[]>
  /** The connection to a server is lost or back; iterating goes on by itself. */
  onConnection?: (state: 'connected' | 'reconnecting') => void
  close(): void
}

export interface ChatSummary {
  chat_id: ChatId
  title: string
  folder: string
  /** `new`, `working`, or how its last turn or run ended. */
  status: string
  created_at: string
  updated_at: string
}

export interface ChatChanges {
  changed: ChatSummary[]
  removed: ChatId[]
  /** These are all there are: at the beginning, and when a connection was lost. */
  all?: boolean
}

export interface ChatHit {
  chat_id: ChatId
  title: string
  excerpt: string
  at: string
}

/** What a face must know to send messages: commands are complete, so that a log says what a person asked for. */
export interface Roster {
  version: string
  /** Where new chats work. */
  folder: string
  agents: RosterAgent[]
  interactive: boolean
  /** Who a person talks to then. */
  interactive_agent?: string
  /** Settings for `send_message` and `execute_plan`. */
  settings: MessageSettings
  /** For `start_run`, by what the mode bar says; absent while there are no teams. */
  runs?: Record<`${'single' | 'multi'}_${'refine' | 'quick'}`, RunMessageSettings>
  /** What a person should know about the choice of agents. */
  notice?: string
}

export interface RosterAgent {
  id: string
  /** Provider and model name. */
  model: string
  /** Tokens, where known. */
  context_window?: number
}

/** Something a person can do about it: `status` as in HTTP. */
export class ClientError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ClientError'
    this.status = status
  }
}
