import { type Rejected, isRejected } from '../core/aggregate.ts'
import type { SessionState } from '../core/session/state.ts'
import type { Journal } from '../ports/journal.ts'
import type { Command, CommandResult } from '../schema/command.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId, RunId, TurnId } from '../schema/ids.ts'
import type { Picture } from '../schema/picture.ts'
import { headOf } from '../view/chat-history.ts'
import { type ChatPage, type Reader, readEnd, readExchange, readLogBefore, readNewest } from './chat-logs.ts'
import { type ChatFeed, type Client, ClientError, type Roster } from './client.ts'
import { DEFAULT_EXCHANGES, FeedPages, type PageReader } from './feed-pages.ts'
import { ChatFollower, type EnvelopeSource } from './follow-chat.ts'
import { summaryOf, watchChats } from './watch-chats.ts'

/** What the client needs of the engine. */
export interface ChatEngine {
  newChatId(): ChatId
  open(chat: ChatId): Promise<SessionState>
  head(chat: ChatId): Promise<{ state: SessionState; seq: number }>
  execute(command: Command): Promise<CommandResult>
  subscribe(backlog?: number): EnvelopeSource
  diff(run: RunId, label: string): Promise<string | undefined>
  keepPicture(bytes: Uint8Array): Promise<Picture | Rejected>
  readPicture(id: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

export interface InProcessParts {
  engine: ChatEngine
  journal: Pick<Journal, 'read' | 'last' | 'list' | 'search' | 'entry'>
  roster: () => Promise<Roster>
}

const HITS = 50

/** The engine of this very process. */
export function inProcessClient({ engine, journal, roster }: InProcessParts): Client {
  return {
    execute: (command) => engine.execute(command),
    newChatId: async () => engine.newChatId(),
    chats: async () => (await journal.list('chat')).map(summaryOf),
    watchChats: (signal) => watchChats({ journal, subscribe: () => engine.subscribe(), signal }),
    async search(words) {
      const hits = words.trim() ? await journal.search(words, HITS) : []
      return hits.map(({ stream, ...hit }) => ({ chat_id: stream as ChatId, ...hit }))
    },
    async open(chat, { exchanges = DEFAULT_EXCHANGES, log, signal } = {}) {
      if (!(await journal.entry(chat))) throw new ClientError(404, `there is no chat ${chat}`)
      const source = engine.subscribe()
      signal?.addEventListener('abort', () => source.close(), { once: true })
      try {
        const page = await (log === undefined ? whole(chat, exchanges) : end(chat, { exchanges, log }))
        const follower = new ChatFollower(journal, source, chat)
        follower.start([...(page.head?.log ?? []), ...page.envelopes])
        return new InProcessFeed(follower, page, pageReader(journal, chat))
      } catch (error) {
        source.close()
        throw error
      }
    },
    glance: async (chat, count) => readLogBefore(journal, chat, (await journal.last(chat)) + 1, count),
    read: (stream, after, limit) => journal.read(stream, after, limit),
    diff: (run, label) => engine.diff(run, label),
    async keepPicture(bytes) {
      const kept = await engine.keepPicture(bytes)
      if (isRejected(kept)) throw new ClientError(400, kept.rejected)
      return kept
    },
    picture: (id) => engine.readPicture(id),
    roster,
    close: () => engine.close(),
  }

  async function whole(chat: ChatId, exchanges: number): Promise<Page> {
    await engine.open(chat)
    const page = await readNewest(journal, chat, exchanges)
    if (!page) throw new ClientError(404, `there is no chat ${chat}`)
    return page
  }

  async function end(chat: ChatId, wanted: { exchanges: number; log: number }): Promise<Page> {
    const head = headOf(await engine.head(chat))
    const { log, ...page } = await readEnd(journal, chat, { seq: head.seq, ...wanted })
    return { ...page, head: { ...head, log } }
  }
}

type Page = ChatPage & Pick<ChatFeed, 'head'>

const pageReader = (journal: Reader, chat: ChatId): PageReader => ({
  exchanges: async (ids) => (await Promise.all(ids.map((id) => readExchange(journal, id)))).flat(),
  log: (before, count) => readLogBefore(journal, chat, before, count),
})

class InProcessFeed implements ChatFeed {
  readonly first: Envelope[]
  readonly head?: ChatFeed['head']
  readonly #follower: ChatFollower
  readonly #pages: FeedPages

  constructor(follower: ChatFollower, { envelopes, unread, head }: Page, reader: PageReader) {
    this.#follower = follower
    this.first = envelopes
    if (head) this.head = head
    this.#pages = new FeedPages(reader, { unread, log: head?.log })
  }

  get unread(): readonly (TurnId | RunId)[] {
    return this.#pages.unread
  }

  get unread_log(): number {
    return this.#pages.unread_log
  }

  older(count?: number) {
    return this.#pages.older(count)
  }

  logsOf(ids: readonly (TurnId | RunId)[]) {
    return this.#pages.logsOf(ids)
  }

  earlier(count?: number) {
    return this.#pages.earlier(count)
  }

  close(): void {
    this.#follower.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<Envelope> {
    return this.#follower[Symbol.asyncIterator]()
  }
}
