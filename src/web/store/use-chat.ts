import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type ChatFeed, type Client, ClientError } from '../../client/client.ts'
import type { ChatId } from '../../schema/ids.ts'
import type { ChatView } from '../../view/chat-view.ts'
import { ChatStore } from './chat-store.ts'

export type Connection = 'connected' | 'connecting' | 'lost'

export interface OpenChat {
  view: ChatView
  /** The server is not done with opening it: only what was said last is known. */
  opening: boolean
  connection: Connection
  /** Why the chat cannot be shown. */
  problem: string | undefined
  past: Past
}

/** What came before what is shown. Each is absent when there is no more of it. */
export interface Past {
  /** Reads the steps of earlier turns. */
  steps?: () => void
  /** Reads more of what was said. */
  more?: () => void
  /** Reads everything that was said. */
  all?: () => Promise<void>
}

/** Of the chat's own log: about a hundred messages are there at once, more come when somebody scrolls up. */
const firstPart = 300
const nextPart = 1_000
const largestPart = 3_000

/** A chat that could not be opened, because nobody answered, is tried again after this. */
const tryAgain = 2_000

/** Follows a chat as long as it is shown. */
export function useChat(client: Client, chat: ChatId | undefined): OpenChat {
  const store = useMemo(() => new ChatStore(), [chat])
  const view = useSyncExternalStore(store.subscribe, store.get)
  const [connection, setConnection] = useState<Connection>('connecting')
  const [problem, setProblem] = useState<string>()
  const [feed, setFeed] = useState<ChatFeed>()
  useEffect(() => {
    setProblem(undefined)
    setFeed(undefined)
    if (!chat) return undefined
    const stop = new AbortController()
    setConnection('connecting')
    const onFeed = (opened: ChatFeed): void => {
      setProblem(undefined)
      setFeed(opened)
    }
    let timer: ReturnType<typeof setTimeout>
    const begin = (): void => {
      follow(client, chat, store, stop.signal, setConnection, onFeed).catch((error: unknown) => {
        if (stop.signal.aborted) return
        setConnection('lost')
        setProblem(error instanceof Error ? error.message : String(error))
        const refused = error instanceof ClientError && error.status < 500
        if (!refused) timer = setTimeout(begin, tryAgain)
      })
    }
    begin()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, chat, store])
  const opening = chat !== undefined && feed === undefined && problem === undefined
  return { view, opening, connection, problem, past: usePast(feed, store) }
}

function usePast(feed: ChatFeed | undefined, store: ChatStore): Past {
  const reading = useRef(false)
  const size = useRef(nextPart)
  /** One at a time; what fails can be asked for again. */
  const once = useCallback(async (work: () => Promise<void>): Promise<void> => {
    if (reading.current) return
    reading.current = true
    try {
      await work()
    } catch {
      // The connection says that it is lost; the button is still there.
    } finally {
      reading.current = false
    }
  }, [])
  const readPart = useCallback(async () => {
    if (!feed) return
    const log = await feed.earlier(size.current)
    size.current = Math.min(size.current * 3, largestPart)
    await store.takeEarlier(log)
  }, [feed, store])
  const more = useCallback(() => void once(readPart), [once, readPart])
  const all = useCallback(
    () =>
      once(async () => {
        while (feed && feed.unread_log > 0) await readPart()
      }),
    [once, readPart, feed],
  )
  const steps = useCallback(
    () => void once(async () => feed && store.take(await feed.older())),
    [once, feed, store],
  )
  if (!feed) return {}
  return {
    ...(feed.unread.length > 0 && { steps }),
    ...(feed.unread_log > 0 && { more, all }),
  }
}

async function follow(
  client: Client,
  chat: ChatId,
  store: ChatStore,
  signal: AbortSignal,
  onConnection: (state: Connection) => void,
  onFeed: (feed: ChatFeed) => void,
): Promise<void> {
  let isOpen = false
  client.glance(chat, firstPart).then(
    (log) => isOpen || signal.aborted || store.glance(log),
    () => undefined,
  )
  const feed = await client.open(chat, { log: firstPart, signal })
  isOpen = true
  signal.addEventListener('abort', () => feed.close())
  if (signal.aborted) {
    feed.close()
    return
  }
  feed.onConnection = (state) => {
    if (state === 'connected') store.forgetLive()
    onConnection(state === 'connected' ? 'connected' : 'lost')
  }
  onConnection('connected')
  onFeed(feed)
  if (feed.head) store.begin(chat, feed.head)
  store.take(feed.first)
  for await (const envelope of feed) {
    if (signal.aborted) return
    store.take([envelope])
  }
}
