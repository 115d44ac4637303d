import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { WaitingClock } from './waiting-clock.ts'

/** A clock that stands still until everybody waits, and then jumps to the next moment somebody waits for. */
export class ManualClock implements WaitingClock {
  #time = 0
  readonly #timers = new Set<{ at: number; wake: () => void }>()

  now(): number {
    return Date.UTC(2030, 0, 1, 12) + this.#time
  }

  elapsed(): number {
    return this.#time
  }

  after(ms: number, wake: () => void): () => void {
    const timer = { at: this.#time + ms, wake }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Waits without a signal, for models made for tests. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Lets time pass until the work is done. Work that waits for something else than this clock never is. */
  async until<T>(work: Promise<T>): Promise<T> {
    let done = false
    const settle = () => (done = true)
    work.then(settle, settle)
    for (;;) {
      await turnOfTheLoop()
      if (done) return work
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0]
      if (!next) {
        await turnOfTheLoop()
        if (!done && this.#timers.size === 0) throw new Error(`nothing is waited for at ${this.#time} ms`)
        continue
      }
      this.#timers.delete(next)
      this.#time = Math.max(this.#time, next.at)
      next.wake()
    }
  }
}
