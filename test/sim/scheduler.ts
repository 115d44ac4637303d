import { setImmediate } from 'node:timers'
import type { Clock } from '../../src/ports/clock.ts'
import type { Random } from './random.ts'

/** A process that can die: whatever it still waits for never comes. */
export interface Life {
  number: number
  alive: boolean
}

/** What a step that was let through is told. `die_stored`: what it stores is stored, and nobody hears of it. */
export type Fate = 'go' | 'fail' | 'die_stored'

export interface Ticket {
  label: string
  life: Life
  release: (fate: Fate) => void
}

interface Timer {
  at: number
  ticket: Ticket
}

/** Far enough from zero that no date looks special. */
export const EPOCH = Date.UTC(2030, 0, 1)

/** More steps than any run takes: one that takes more goes in circles. */
const MOST_STEPS = 120_000

/**
 * Decides the order of everything. Each call to the outside waits for a ticket; one ticket is released at a time, and
 * all that follows from it happens before the next one. When nobody can go on, the clock jumps to the next timer.
 */
export class Scheduler {
  now = 0
  steps = 0
  /** Decides what becomes of a ticket about to be released; may kill its process. */
  onStep: (ticket: Ticket) => Fate = () => 'go'
  readonly #random: Random
  #ready: Ticket[] = []
  #timers: Timer[] = []

  constructor(random: Random) {
    this.#random = random
  }

  ticket(label: string, life: Life): Promise<Fate> {
    return new Promise((release) => {
      if (life.alive) this.#ready.push({ label, life, release })
    })
  }

  sleep(ms: number, life: Life, signal?: AbortSignal, label = 'timer'): Promise<void> {
    return new Promise((resolve) => {
      if (!life.alive) return
      if (signal?.aborted) return resolve()
      const timer: Timer = { at: this.now + Math.max(0, ms), ticket: { label, life, release: () => end() } }
      const end = (): void => {
        signal?.removeEventListener('abort', end)
        this.#timers = this.#timers.filter((other) => other !== timer)
        this.#ready = this.#ready.filter((other) => other !== timer.ticket)
        resolve()
      }
      signal?.addEventListener('abort', end, { once: true })
      this.#timers.push(timer)
    })
  }

  clock(life: Life): Clock {
    return {
      now: () => EPOCH + this.now,
      elapsed: () => this.now,
      sleep: (ms, signal) => this.sleep(ms, life, signal),
    }
  }

  kill(life: Life): void {
    life.alive = false
    this.#ready = this.#ready.filter((ticket) => ticket.life !== life)
    this.#timers = this.#timers.filter(({ ticket }) => ticket.life !== life)
  }

  /** Goes on until `done`, or until nothing can happen any more. */
  async run(done: () => boolean): Promise<'done' | 'stuck' | 'endless'> {
    for (;;) {
      // Everything that follows from the last release happens before an immediate does.
      await new Promise((resolve) => setImmediate(resolve))
      if (done()) return 'done'
      if (this.steps > MOST_STEPS) return 'endless'
      const ticket = this.#take()
      if (!ticket) return 'stuck'
      this.steps += 1
      ticket.release(this.onStep(ticket))
    }
  }

  #take(): Ticket | undefined {
    if (this.#ready.length === 0) this.#wakeNext()
    const index = Math.floor(this.#random.next() * this.#ready.length)
    const ticket = this.#ready[index]
    const last = this.#ready.pop()
    if (ticket && last && ticket !== last) this.#ready[index] = last
    return ticket
  }

  #wakeNext(): void {
    const next = this.#timers.reduce((least, { at }) => Math.min(least, at), Infinity)
    if (next === Infinity) return
    this.now = next
    this.#ready = this.#timers.filter(({ at }) => at === next).map(({ ticket }) => ticket)
    this.#timers = this.#timers.filter(({ at }) => at !== next)
  }
}
