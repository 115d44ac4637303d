import { useEffect, useRef } from 'react'
import type { OpenRun } from '../../core/session/state.ts'
import type { ChatView } from '../../view/chat-view.ts'
import { getKey } from '../../view/keyed.ts'
import type { News } from './use-chats.ts'

/** Runs in the background of the chat that is shown become news when they end. */
export function useBackgroundNews(view: ChatView, tell: (news: News) => void): void {
  const before = useRef<{ chat: string; runs: readonly OpenRun[] }>({ chat: '', runs: [] })
  const { chat_id } = view
  const { background } = view.session
  const { runs } = view.inner
  useEffect(() => {
    const { chat, runs: known } = before.current
    before.current = { chat: chat_id, runs: background }
    if (chat !== chat_id) return
    for (const { run_id, prompt } of known) {
      if (background.some((run) => run.run_id === run_id)) continue
      const status = getKey(runs, run_id)?.status
      const text =
        status === undefined || status === 'working' ? 'has ended' : `is ${words[status] ?? status}`
      tell({ key: run_id, chat_id, title: prompt.split('\n', 1)[0]?.slice(0, 80) ?? 'A run', text })
    }
  }, [chat_id, background, runs, tell])
}

const words: Record<string, string> = { complete: 'done' }
