export interface Clock {
  /** Milliseconds since the epoch, for timestamps. */
  now(): number
  /** Milliseconds from an arbitrary start, for durations. */
  elapsed(): number
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
