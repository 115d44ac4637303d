import type { CommandResult } from '../schema/command.ts'
import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import type { Picture } from '../schema/picture.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../schema/ids.ts'
import { toBase64 } from './base64.ts'
import type { ChatChanges, ChatFeed, ChatHit, ChatSummary, Client, Roster } from './client.ts'
import { DEFAULT_EXCHANGES, FeedPages } from './feed-pages.ts'
import { HttpConnection, type HttpOptions } from './http-connection.ts'
import { type WirePage, readEnvelope, toWire } from './wire.ts'

/** The engine behind a server. Runs in browsers and in Node. */
export function httpClient(options: HttpOptions): Client {
  const server = new HttpConnection(options)
  const closed = new AbortController()
  const feeds = new Set<HttpFeed>()
  return {
    execute: (command) => server.post<CommandResult>('/api/commands', toWire(command)),
    newChatId: async () => (await server.post<{ chat_id: ChatId }>('/api/chats/id', {})).chat_id,
    chats: () => server.get<ChatSummary[]>('/api/chats'),
    search: (words) => server.get<ChatHit[]>(`/api/search?words=${encodeURIComponent(words)}`),
    async open(chat, { exchanges = DEFAULT_EXCHANGES, log, signal } = {}) {
      const query = `exchanges=${exchanges}${log === undefined ? '' : `&log=${log}`}`
      const page = await server.get<WirePage>(`/api/chats/${encodeURIComponent(chat)}?${query}`)
      const feed = new HttpFeed(server, chat, page)
      feeds.add(feed)
      signal?.addEventListener('abort', () => feed.close(), { once: true })
      return feed
    },
    async glance(chat, count) {
      const path = `/api/chats/${encodeURIComponent(chat)}/log?limit=${count}`
      return (await server.get<{ envelopes: StoredEnvelope[] }>(path)).envelopes
    },
    async read(stream, after = 0, limit) {
      const path = `/api/streams/${encodeURIComponent(stream)}?after=${after}${limit === undefined ? '' : `&limit=${limit}`}`
      return (await server.get<{ envelopes: StoredEnvelope[] }>(path)).envelopes
    },
    async diff(run, label) {
      const path = `/api/runs/${encodeURIComponent(run)}/answers/${encodeURIComponent(label)}/diff`
      return (await server.get<{ diff: string | null }>(path)).diff ?? undefined
    },
    keepPicture: (bytes) => server.post<Picture>('/api/pictures', { data: toBase64(bytes) }),
    picture: (id) => server.bytes(`/api/pictures/${encodeURIComponent(id)}`),
    roster: () => server.get<Roster>('/api/roster'),
    async *watchChats(signal, onConnection) {
      const path = () => '/api/chats/changes'
      const following = server.follow({
        path,
        signal: AbortSignal.any([signal, closed.signal]),
        onConnection,
      })
      for await (const { event, data } of following) {
        if (event === 'message') yield JSON.parse(data) as ChatChanges
      }
    },
    async close() {
      closed.abort()
      feeds.forEach((feed) => feed.close())
    },
  }
}

class HttpFeed implements ChatFeed {
  readonly first: Envelope[]
  onConnection?: (state: 'connected' | 'reconnecting') => void
  readonly #server: HttpConnection
  readonly #chat: ChatId
  #cursor: string
  readonly head?: ChatFeed['head']
  readonly #pages: FeedPages
  readonly #seen = new Map<StreamId, number>()
  readonly #closed = new AbortController()

  constructor(server: HttpConnection, chat: ChatId, { envelopes, unread, head, cursor }: WirePage) {
    this.#server = server
    this.#chat = chat
    this.first = envelopes
    if (head) this.head = head
    this.#cursor = cursor
    for (const { stream, seq } of [...(head?.log ?? []), ...envelopes]) this.#seen.set(stream, seq)
    const path = `/api/chats/${encodeURIComponent(chat)}`
    const read = async (rest: string) =>
      (await server.get<{ envelopes: StoredEnvelope[] }>(`${path}/${rest}`)).envelopes
    this.#pages = new FeedPages(
      {
        exchanges: (ids) => read(`exchanges?ids=${ids.join(',')}`),
        log: (before, count) => read(`log?before=${before}&limit=${count}`),
      },
      { unread, log: head?.log },
    )
  }

  get unread(): readonly (TurnId | RunId)[] {
    return this.#pages.unread
  }

  get unread_log(): number {
    return this.#pages.unread_log
  }

  older(count?: number): Promise<StoredEnvelope[]> {
    return this.#pages.older(count)
  }

  logsOf(ids: readonly (TurnId | RunId)[]): Promise<StoredEnvelope[]> {
    return this.#pages.logsOf(ids)
  }

  earlier(count?: number): Promise<StoredEnvelope[]> {
    return this.#pages.earlier(count)
  }

  close(): void {
    this.#closed.abort()
  }

  /** Goes on by itself when the connection is lost, from where it was. */
  async *[Symbol.asyncIterator](): AsyncIterator<Envelope> {
    const messages = this.#server.follow({
      path: () =>
        `/api/events?stream=${encodeURIComponent(this.#chat)}&cursor=${encodeURIComponent(this.#cursor)}`,
      signal: this.#closed.signal,
      onConnection: (state) => this.onConnection?.(state),
    })
    for await (const message of messages) {
      if (message.id !== undefined) this.#cursor = message.id
      const envelope = message.event === 'message' ? readEnvelope(message) : undefined
      if (envelope && this.#isNew(envelope)) yield envelope
    }
  }

  /** A connection that is lost before it said where it was is gone on with from an earlier place. */
  #isNew({ stream, seq }: Envelope): boolean {
    if (seq === null) return true
    if (seq <= (this.#seen.get(stream) ?? 0)) return false
    this.#seen.set(stream, seq)
    return true
  }
}
