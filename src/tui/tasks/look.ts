import { setImmediate as nextRound } from 'node:timers/promises'
import type { App } from '../app.ts'

export interface Look {
  readonly signal: AbortSignal
  /** Says how far it is, and lets keys through. */
  say(at: string): Promise<void>
}

/** A long look through the chat. There is one at a time: another one, or Esc, ends it. */
export async function look(app: App, at: string, work: (look: Look) => Promise<void>): Promise<void> {
  app.stopLooking()
  const ends = new AbortController()
  const stop = () => {
    ends.abort()
    app.dispatch({ type: 'look', at: undefined })
  }
  app.stopLooking = stop
  const say = async (text: string) => {
    if (!ends.signal.aborted) app.dispatch({ type: 'look', at: text })
    await nextRound()
  }
  try {
    await say(at)
    await work({ signal: ends.signal, say })
  } finally {
    if (app.stopLooking === stop) {
      app.stopLooking = () => undefined
      app.dispatch({ type: 'look', at: undefined })
    }
  }
}
