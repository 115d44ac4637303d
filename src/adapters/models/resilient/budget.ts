import type { Limits } from './limits.ts'

/** How many retries a provider gets from all agents together. A bucket that time and successes fill again. */
export class RetryBudget {
  readonly #limits: Pick<Limits, 'budget' | 'budget_per_second' | 'budget_per_success'>
  #left: number
  #at = 0

  constructor(limits: Pick<Limits, 'budget' | 'budget_per_second' | 'budget_per_success'>) {
    this.#limits = limits
    this.#left = limits.budget
  }

  /** When the next retry may be made: now, or later. */
  readyAt(now: number): number {
    this.#fill(now)
    if (this.#left >= 1) return now
    // A little more than exact: a wake-up a rounding error too early would find nothing.
    return now + Math.ceil(((1 - this.#left) / this.#limits.budget_per_second) * 1000) + 1
  }

  take(now: number): void {
    this.#fill(now)
    this.#left -= 1
  }

  earn(now: number): void {
    this.#fill(now)
    this.#left = Math.min(this.#limits.budget, this.#left + this.#limits.budget_per_success)
  }

  #fill(now: number): void {
    const seconds = Math.max(0, now - this.#at) / 1000
    this.#at = now
    this.#left = Math.min(this.#limits.budget, this.#left + seconds * this.#limits.budget_per_second)
  }
}
