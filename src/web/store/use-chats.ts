import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ChatChanges, ChatSummary, Client } from '../../client/client.ts'
import type { ChatId } from '../../schema/ids.ts'

/** Something ended elsewhere while the person looked at something else. */
export interface News {
  key: string
  chat_id: ChatId
  title: string
  text: string
}

export interface Chats {
  /** The latest first. */
  chats: readonly ChatSummary[]
  reachable: boolean
  news: readonly News[]
  tell: (news: News) => void
  dismiss: (key: string) => void
}

const mostNews = 3

/** Every chat as it changes. Work that ends in a chat that is not shown becomes news. */
export function useChats(client: Client, current: ChatId | undefined): Chats {
  const [chats, setChats] = useState<readonly ChatSummary[]>([])
  const [reachable, setReachable] = useState(true)
  const [news, setNews] = useState<readonly News[]>([])
  const shown = useRef(current)
  shown.current = current
  const tell = useCallback(
    (fresh: News) =>
      setNews((all) => [...all.filter(({ key }) => key !== fresh.key), fresh].slice(-mostNews)),
    [],
  )
  const dismiss = useCallback((key: string) => setNews((all) => all.filter((each) => each.key !== key)), [])

  const visible = useVisible()
  const known = useRef<readonly ChatSummary[]>([])
  useEffect(() => {
    // A browser has few connections to one server: pages that nobody sees do without this one.
    if (!visible) return undefined
    const stop = new AbortController()
    const watch = async (): Promise<void> => {
      const onConnection = (state: string): void => setReachable(state === 'connected')
      for await (const changes of client.watchChats(stop.signal, onConnection)) {
        if (stop.signal.aborted) return
        for (const chat of ended(known.current, changes))
          if (chat.chat_id !== shown.current) tell(endOf(chat))
        known.current = applied(known.current, changes)
        setChats(known.current)
      }
    }
    watch().catch(() => setReachable(false))
    return () => stop.abort()
  }, [client, tell, visible])
  return { chats, reachable, news, tell, dismiss }
}

function useVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => !document.hidden,
  )
}

export function applied(
  known: readonly ChatSummary[],
  { changed, removed, all }: ChatChanges,
): readonly ChatSummary[] {
  const gone = new Set<ChatId>([...removed, ...changed.map(({ chat_id }) => chat_id)])
  const kept = all ? [] : known.filter(({ chat_id }) => !gone.has(chat_id))
  return [...changed, ...kept].toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
}

/** Those that were at work and no longer are. */
export function ended(known: readonly ChatSummary[], { changed }: ChatChanges): ChatSummary[] {
  const working = new Set(known.filter(({ status }) => status === 'working').map(({ chat_id }) => chat_id))
  return changed.filter(({ chat_id, status }) => working.has(chat_id) && status !== 'working')
}

const endOf = ({ chat_id, title, status }: ChatSummary): News => ({
  key: chat_id,
  chat_id,
  title,
  text: status === 'complete' ? 'is done' : status,
})
