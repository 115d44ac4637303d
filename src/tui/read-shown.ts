import type { App } from './app.ts'

/** So few items from the beginning of what is held, more is read; so many above the screen come with their steps. */
const NEAR = 20

/** Turns and runs at a time. */
const MOST = 20

/** The chat is held by its end: what one scrolls to is read then, how answers came about before what was said earlier. */
export function readShown(
  { session, ui, scene }: App,
  shown: { from: number; to: number },
): Promise<void> | undefined {
  const isChat = !ui.team_tab && scene.watching === undefined && scene.inside === undefined
  if (!session || !isChat || session.reading) return undefined
  const ids = session.unreadBetween(shown.from - NEAR, shown.to).slice(-MOST)
  if (ids.length > 0) return session.readSteps(ids)
  return shown.from < NEAR && session.unread_log > 0 ? session.readEarlier() : undefined
}
