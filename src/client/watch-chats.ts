import type { Entry, Journal } from '../ports/journal.ts'
import type { ChatId } from '../schema/ids.ts'
import type { ChatChanges, ChatSummary } from './client.ts'
import type { EnvelopeSource } from './follow-chat.ts'

export interface WatchedChats {
  journal: Pick<Journal, 'list' | 'entry'>
  /** Everything this process stores. */
  subscribe: () => EnvelopeSource
  signal: AbortSignal
  /** Changes that come together are told together. */
  pause_ms?: number
  /** Other processes write to the same journal and tell nobody. */
  look_ms?: number
}

/** All chats, and from then on those that changed. A reader that is slow gets fewer and larger pieces. */
export async function* watchChats({
  journal,
  subscribe,
  signal,
  pause_ms = 100,
  look_ms = 10_000,
}: WatchedChats): AsyncGenerator<ChatChanges> {
  const source = subscribe()
  const touched = new Set<ChatId>()
  const bell = new Bell()
  let looks = true
  const timer = setInterval(() => {
    looks = true
    bell.ring()
  }, look_ms)
  const stop = (): void => {
    source.close()
    bell.ring()
  }
  signal.addEventListener('abort', stop, { once: true })
  // A journal that cannot be read says so when the chats are listed.
  listen(source, touched, bell).catch(() => bell.ring())
  const known = new Map<ChatId, string>()
  try {
    let all = true
    while (!signal.aborted) {
      const dirty = [...touched]
      touched.clear()
      const now = looks ? await journal.list('chat') : await entriesOf(journal, dirty)
      const left = new Set(now.map(({ stream }) => stream))
      const removed = looks ? [...known.keys()].filter((id) => !left.has(id)) : []
      looks = false
      const changed = now.map(summaryOf).filter((chat) => {
        const text = JSON.stringify(chat)
        if (known.get(chat.chat_id) === text) return false
        known.set(chat.chat_id, text)
        return true
      })
      for (const id of removed) known.delete(id)
      if (all || changed.length > 0 || removed.length > 0)
        yield { changed, removed, ...(all && { all: true }) }
      all = false
      await bell.rings
      await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : pause_ms))
      bell.reset()
    }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    source.close()
  }
}

export const summaryOf = ({ stream, title, folder, status, created_at, updated_at }: Entry): ChatSummary => ({
  chat_id: stream as ChatId,
  title,
  folder,
  status,
  created_at,
  updated_at,
})

async function listen(source: EnvelopeSource, touched: Set<ChatId>, bell: Bell): Promise<void> {
  for await (const { stream, seq } of source) {
    if (seq === null || !stream.startsWith('chat_')) continue
    touched.add(stream as ChatId)
    bell.ring()
  }
}

async function entriesOf(journal: Pick<Journal, 'entry'>, chats: readonly ChatId[]): Promise<Entry[]> {
  const found = await Promise.all(chats.map((chat) => journal.entry(chat)))
  return found.filter((entry) => entry !== undefined)
}

/** Something happened since it was last looked at. */
class Bell {
  rings = Promise.resolve()
  #ring: () => void = () => undefined

  constructor() {
    this.reset()
  }

  ring(): void {
    this.#ring()
  }

  reset(): void {
    this.rings = new Promise((resolve) => (this.#ring = resolve))
  }
}
