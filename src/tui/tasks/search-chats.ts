import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'

/** While somebody types, only what they stop at is looked for. */
const PAUSE_MS = 120

/** Looks for words in what was said in all chats, for the picker that asked. */
export async function searchChats(app: App, query: string): Promise<void> {
  await sleep(PAUSE_MS)
  if (query.trim() === '' || typed(app) !== query) return
  const hits = (await app.host?.client.search(query)) ?? []
  const { modal } = app.ui
  if (modal?.kind !== 'picker' || typed(app) !== query) return
  const items = hits.map(({ chat_id, title, excerpt }) => ({
    label: title,
    note: excerpt.replaceAll(/\s+/g, ' '),
    action: { type: 'open_chat', chat_id } as const,
  }))
  const unique = [...new Map(items.map((item) => [item.action.chat_id, item])).values()]
  app.dispatch({ type: 'open_modal', modal: { ...modal, found: { query, items: unique } } })
}

const typed = ({ ui }: App): string | undefined =>
  ui.modal?.kind === 'picker' && ui.modal.searches ? ui.modal.query.text : undefined
