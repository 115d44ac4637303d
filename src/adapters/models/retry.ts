import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPart } from '../../ports/model.ts'

export interface RetryOptions {
  signal: AbortSignal
  /** Before the second attempt; each further one waits twice as long. */
  first_delay_ms?: number
  /** 1 leaves it to whoever asks. */
  attempts?: number
}

const ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

/** Asks again when a failure may pass, as long as nothing of the reply has been shown: it would be shown twice. */
export async function* withRetries(
  ask: () => AsyncIterable<ModelPart>,
  { signal, first_delay_ms = FIRST_DELAY_MS, attempts = ATTEMPTS }: RetryOptions,
): AsyncGenerator<ModelPart> {
  for (let attempt = 1; ; attempt++) {
    let begun = false
    let failed: Extract<ModelPart, { type: 'failed' }> | undefined
    for await (const part of ask()) {
      if (part.type === 'failed') {
        failed = part
        break
      }
      begun ||= part.type !== 'progress'
      yield part
    }
    if (signal.aborted || !failed) return
    const { failure } = failed
    if (begun || !failure.retryable || attempt === attempts) return yield failed
    const delay_ms = nextDelay(first_delay_ms * 2 ** (attempt - 1), failure.retry_after_ms)
    yield { type: 'retrying', attempt, delay_ms, reason: failure.message }
    await sleep(delay_ms, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

/** Exponential with jitter; what the server asks for is honoured within reason. */
function nextDelay(usual: number, asked: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, LONGEST_DELAY_MS)
  return Math.round(Math.min(usual, LONGEST_DELAY_MS) * (0.75 + Math.random() / 2))
}
