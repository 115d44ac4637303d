import type { Failure } from '../../../schema/failure.ts'

/** What a refused request means for a person. */
export function describeStatus(label: string, status: number, body: string): Failure {
  const message = `${label} answered ${status}: ${readMessage(body)}`
  if (status === 401 || status === 403) {
    return {
      kind: 'credentials',
      message,
      hint: 'check the key in the environment variable that api_key_env names',
    }
  }
  if ((status === 400 || status === 413) && tooLong.test(message)) return { kind: 'context', message }
  if (status === 404) return { kind: 'model', message, hint: 'check base_url and the model name' }
  if (status === 429)
    return { kind: 'model', message, hint: 'wait a little and send the message again', retryable: true }
  return { kind: 'model', message, retryable: status >= 500 || status === 408 }
}

/** How servers say that the conversation does not fit. */
const tooLong =
  /context.?(length|window|size)|prompt is too long|too many (input )?tokens|maximum.{0,40}tokens|exceeds.{0,40}tokens/i

export function describeError(label: string, url: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (/^ERR_(INVALID|UNESCAPED)/.test(code)) {
    const hint = 'check base_url, headers and the key'
    return { kind: 'input', message: `the request to ${label} cannot be made: ${message}`, hint }
  }
  const what =
    code === 'ECONNREFUSED'
      ? `nothing answers at ${withoutPassword(url)}`
      : `the connection to ${label} failed: ${message || code}`
  return {
    kind: 'network',
    message: what,
    hint: 'is the server running, and base_url right?',
    retryable: true,
  }
}

const NOT_AN_API = 'check base_url: it must be a Chat Completions API'

/** Data that is not JSON; it may have been cut off. */
export function describeNonsense(label: string, { message }: SyntaxError): Failure {
  const what = `${label} sent something that is no reply: ${message.slice(0, 300)}`
  return { kind: 'model', message: what, hint: NOT_AN_API, retryable: true }
}

export const describeTooLarge = (label: string, { message }: Error): Failure => ({
  kind: 'model',
  message: `${label} sent a reply that is too large: ${message}`,
  hint: 'ask for less at a time, or choose another model',
})

export const describeWebPage = (label: string): Failure => ({
  kind: 'model',
  message: `${label} answered with a web page`,
  hint: NOT_AN_API,
})

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

function readMessage(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: { message?: string } | string; message?: string }
    const text = typeof error === 'string' ? error : (error?.message ?? message)
    if (text) return text.slice(0, 500)
  } catch {
    // not JSON: shown as it is
  }
  return body.trim().slice(0, 500) || 'no explanation'
}
