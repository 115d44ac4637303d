import type { Failure } from '../../../schema/failure.ts'
import { type Admission, Gate, type GateCall } from './gate.ts'
import type { Limits } from './limits.ts'
import type { WaitingClock } from './waiting-clock.ts'

/** A provider's gate with a clock: all agents of this process that use the provider share one. */
export class Provider {
  readonly #gate: Gate
  readonly #clock: WaitingClock
  readonly #waiting = new Set<() => void>()

  constructor(limits: Limits, clock: WaitingClock, random: () => number) {
    this.#gate = new Gate(limits, random)
    this.#clock = clock
  }

  get now(): number {
    return this.#clock.elapsed()
  }

  ask(call: GateCall): Admission {
    const admission = this.#gate.ask(call, this.now)
    // Somebody behind this call may have its turn now.
    if (admission.type !== 'wait') this.#wake()
    return admission
  }

  answered(call: GateCall): void {
    this.#gate.answered(call)
    this.#wake()
  }

  completed(call: GateCall): void {
    this.#gate.completed(call, this.now)
    this.#wake()
  }

  /** Returns the pause before the next request, or nothing when there should be none. */
  failed(call: GateCall, failure: Failure, throttled: boolean): number | undefined {
    const pause = this.#gate.failed(call, failure, { throttled, now: this.now })
    this.#wake()
    const known = throttled || failure.retry_after_ms !== undefined
    return this.#gate.isSpent(call, known) ? undefined : pause
  }

  leave(call: GateCall): void {
    this.#gate.leave(call)
    this.#wake()
  }

  /** Waits until that moment, until something changes here, or until the signal. */
  async change(until: number | undefined, signal: AbortSignal): Promise<void> {
    await this.#pause(until === undefined ? undefined : until - this.now, signal, this.#waiting)
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    await this.#pause(ms, signal)
  }

  async #pause(ms: number | undefined, signal: AbortSignal, wakers?: Set<() => void>): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    wakers?.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    const stop = ms === undefined ? undefined : this.#clock.after(Math.max(0, ms), wake)
    await promise
    signal.removeEventListener('abort', wake)
    stop?.()
    wakers?.delete(wake)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

const providers = new Map<string, Provider>()

/** The provider of this name; made by whoever asks first. */
export function providerNamed(name: string, make: () => Provider): Provider {
  let provider = providers.get(name)
  if (!provider) {
    provider = make()
    providers.set(name, provider)
  }
  return provider
}
