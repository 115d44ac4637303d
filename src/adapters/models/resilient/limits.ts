/** What one call may take, in time and size. */
export interface Limits {
  /** Before anything came. */
  first_ms: number
  /** From one piece of the reply to the next; pings and empty pieces do not count. */
  progress_ms: number
  /** A reply as a whole. */
  whole_ms: number
  /** Characters of text or reasoning in one reply. */
  text: number
  /** Characters of one call's arguments. */
  arguments: number
  calls: number
  /** Characters of everything. */
  stream: number
  /** Requests that may fail before the call does. */
  attempts: number
  /** The same, where the provider only says that it is asked too often. */
  throttled_attempts: number
  /** Pauses of one call together. */
  patience_ms: number
  /** The longest pause a provider may ask for. */
  retry_after_ms: number
  /** Before the second attempt; each further one waits twice as long. */
  first_delay_ms: number
  longest_delay_ms: number
  /** Failures one after another, of all calls, that make everybody stop asking for a while. */
  breaker_failures: number
  breaker_ms: number
  /** Retries that may be made at once, and how many of them come back per second and per success. */
  budget: number
  budget_per_second: number
  budget_per_success: number
}

export const MAX_ARGUMENTS = 1_000_000
export const MAX_CALLS = 128
export const MAX_STREAM = 64 * 1024 * 1024

export const defaultLimits: Limits = {
  first_ms: 120_000,
  progress_ms: 60_000,
  whole_ms: 30 * 60_000,
  text: 4_000_000,
  arguments: MAX_ARGUMENTS,
  calls: MAX_CALLS,
  stream: MAX_STREAM,
  attempts: 4,
  throttled_attempts: 8,
  patience_ms: 300_000,
  retry_after_ms: 60_000,
  first_delay_ms: 500,
  longest_delay_ms: 30_000,
  breaker_failures: 5,
  breaker_ms: 2_000,
  budget: 10,
  budget_per_second: 1,
  budget_per_success: 0.5,
}
