import type { Clock } from '../../../ports/clock.ts'

/** A clock that can also be waited for. Tests bring one that does not take its time. */
export interface WaitingClock extends Omit<Clock, 'sleep'> {
  /** Wakes once, unless the returned function is called before. */
  after(ms: number, wake: () => void): () => void
}

export const systemWaitingClock: WaitingClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}
