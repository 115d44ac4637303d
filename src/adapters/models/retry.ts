import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPart } from '../../ports/model.ts'
import type { Failure } from '../../schema/failure.ts'

export interface RetryOptions {
  signal: AbortSignal
  /** Before the second attempt; each further one waits twice as long. */
  first_delay_ms?: number
}

const ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

/** Asks again when a failure may pass, as long as nothing of the reply has been shown: it would be shown twice. */
export async function* withRetries(
  ask: () => AsyncIterable<ModelPart>,
  { signal, first_delay_ms = FIRST_DELAY_MS }: RetryOptions,
): AsyncGenerator<ModelPart> {
  for (let attempt = 1; ; attempt++) {
    let begun = false
    let failure: Failure | undefined
    for await (const part of ask()) {
      if (part.type === 'failed') {
        failure = part.failure
        break
      }
      begun = true
      yield part
    }
    if (signal.aborted || !failure) return
    if (begun || !failure.retryable || attempt === ATTEMPTS) return yield { type: 'failed', failure }
    const delay_ms = nextDelay(first_delay_ms * 2 ** (attempt - 1), failure.retry_after_ms)
    yield { type: 'retrying', attempt, delay_ms, reason: failure.message }
    await sleep(delay_ms, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

/** What a server asks for in its headers, in milliseconds. */
export function readRetryAfter(headers: Record<string, unknown>): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? NaN)
  const wanted = milliseconds >= 0 ? milliseconds : Number(headers['retry-after'] ?? NaN) * 1000
  return wanted >= 0 ? wanted : undefined
}

/** Exponential with jitter; what the server asks for is honoured within reason. */
function nextDelay(usual: number, asked: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, LONGEST_DELAY_MS)
  return Math.round(Math.min(usual, LONGEST_DELAY_MS) * (0.75 + Math.random() / 2))
}
