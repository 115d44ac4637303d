export interface Clock {
  /** Milliseconds since the epoch, for timestamps. */
  now(): number
  /** Milliseconds from an arbitrary start, for durations. */
  elapsed(): number
}
