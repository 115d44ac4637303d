import type { ChatView } from '../../view/chat-view.ts'
import { sectionsOf } from '../../view/transcript.ts'
import type { App } from '../app.ts'
import type { PageLine } from '../state/modal.ts'
import { chatParts } from './chat-parts.ts'

/** A longer page is shown when it is whole: before that it would only jump about. */
const GROWING = 50

/**
 * Opens a page about the whole chat. What is held is enough when nothing is missing; otherwise the chat is read part by
 * part, the newest first, and the page grows with it until it is closed.
 */
export async function fillPage(
  app: App,
  title: string,
  /** The lines with this part taken in too. */
  takeIn: (part: ChatView) => PageLine[] | Promise<PageLine[]>,
): Promise<void> {
  const { session, host, view } = app
  const chat = session?.chat
  let shown: readonly PageLine[] = []
  const show = (lines: readonly PageLine[], scroll = 0) => {
    shown = lines
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title, lines, scroll } })
  }
  /** The page, unless it was closed. */
  const opened = () =>
    app.ui.modal?.kind === 'page' && app.ui.modal.lines === shown ? app.ui.modal : undefined
  if (!host || !chat || (session.unread_log === 0 && view.unread === 0)) return show(await takeIn(view))
  let exchanges = 0
  const progress = (): PageLine => ({
    text: `reading the chat: ${exchanges} exchanges so far …`,
    style: 'accent',
  })
  show([progress()])
  let lines: PageLine[] = []
  for await (const part of chatParts(host.client, chat)) {
    if (!opened()) return
    lines = await takeIn(part)
    for (const _ of sectionsOf(part.transcript)) exchanges++
    const page = opened()
    if (!page) return
    show(lines.length > GROWING ? [progress()] : [progress(), ...lines], page.scroll)
  }
  const page = opened()
  if (page) show(lines, page.scroll)
}
