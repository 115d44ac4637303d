import type { ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import { describeError, describeStatus } from '../openai-compatible/failure.ts'
import { readRetryAfter } from '../resilient/retry-after.ts'

export interface FailureContext {
  label: string
  base_url: string
  /** Where the key came from, for people. */
  key_from?: string
}

interface CallError {
  statusCode?: number
  responseBody?: string
  responseHeaders?: Record<string, string>
  cause?: unknown
}

/** Whatever a provider's package throws or streams, as the last part. */
export function toFailed(error: unknown, context: FailureContext): Extract<ModelPart, { type: 'failed' }> {
  const { statusCode = 0 } = (error ?? {}) as CallError
  const throttled = statusCode === 429 || statusCode === 529
  return { type: 'failed', failure: toFailure(error, context), ...(throttled && { throttled }) }
}

function toFailure(error: unknown, { label, base_url, key_from }: FailureContext): Failure {
  if (!(error instanceof Error)) return streamed(label, error)
  const { statusCode, responseBody = '', responseHeaders = {}, cause } = error as Error & CallError
  const root = findRoot(error)
  if (statusCode === undefined || (statusCode < 300 && isNetwork(root))) {
    if (isNetwork(root)) return describeError(label, base_url, root)
    return { kind: 'model', message: clip(`${label}: ${error.message}`), ...unreadable(error, cause) }
  }
  if (statusCode < 300) {
    const message = `${label} sent something that is no reply: ${(cause instanceof Error ? cause : error).message}`
    return { kind: 'model', message: clip(message), hint: 'check base_url', retryable: true }
  }
  const failure = describeStatus(label, statusCode, responseBody || error.message)
  const retry_after_ms = readRetryAfter(responseHeaders, Date.now()) ?? readRetryDelay(responseBody)
  return {
    ...failure,
    ...(failure.kind === 'credentials' && key_from && { hint: `check the key in ${key_from}` }),
    ...(isTooLong(failure.message) && {
      hint: 'the conversation is too long for this model: start a new chat',
    }),
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  }
}

/** Some providers report an error as an event of the stream. */
function streamed(label: string, error: unknown): Failure {
  const { message, error: inner, type } = (error ?? {}) as Record<string, unknown>
  const text = message ?? (inner as Record<string, unknown> | undefined)?.['message'] ?? error
  const shown = typeof text === 'string' ? text : (JSON.stringify(text) ?? 'an error')
  const retryable = !/invalid_request/.test(String(type))
  return { kind: 'model', message: clip(`${label} reported: ${shown}`), retryable }
}

/** Packages quote whole replies. */
const clip = (text: string): string => (text.length > 500 ? `${text.slice(0, 499)}…` : text)

function findRoot(error: unknown): NodeJS.ErrnoException {
  let root = error as NodeJS.ErrnoException
  while (root.cause instanceof Error) root = root.cause
  return root
}

const isNetwork = ({ code, syscall, message }: NodeJS.ErrnoException): boolean =>
  typeof code === 'string' ||
  syscall !== undefined ||
  /^(no answer for|aborted|socket|terminated)/.test(message)

/** The provider's own words may have changed since its package was written. */
const unreadable = (error: Error, cause: unknown): Partial<Failure> =>
  /TypeValidation|JSONParse|InvalidResponse/.test(`${error.name} ${(cause as Error | undefined)?.name}`)
    ? { hint: 'check base_url: it must be this provider’s API' }
    : {}

const isTooLong = (message: string): boolean =>
  /context.?(length|window)|too (long|many tokens)|maximum.*tokens/i.test(message)

/** Google says in the body how long to wait. */
function readRetryDelay(body: string): number | undefined {
  const seconds = Number(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1] ?? NaN)
  return Number.isNaN(seconds) ? undefined : seconds * 1000
}
