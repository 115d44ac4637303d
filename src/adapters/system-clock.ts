import type { Clock } from '../ports/clock.ts'

/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    for (let left = ms; left > 0 && !signal.aborted; left -= LONGEST_TIMER_MS) {
      await nap(Math.min(left, LONGEST_TIMER_MS), signal)
    }
  },
}

function nap(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
