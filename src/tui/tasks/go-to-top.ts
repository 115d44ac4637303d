import type { App } from '../app.ts'
import { look } from './look.ts'

/** Larger than while scrolling: nobody looks at what lies between. */
const PART = 3_000

/** The beginning of the chat: everything that was said is read first. */
export async function goToTop(app: App): Promise<void> {
  const { session } = app
  if (!session) return
  const { chat } = session
  await look(app, 'reading the beginning of the chat …', async ({ signal, say }) => {
    while (session.unread_log > 0) {
      await session.readEarlier(PART)
      await say(`reading the beginning of the chat: ${session.unread_log} events to go …`)
      if (signal.aborted || session.chat !== chat) return
    }
    app.dispatch({ type: 'scroll_to', end: 'top' })
  }).catch((error: unknown) => app.fail(error))
}
