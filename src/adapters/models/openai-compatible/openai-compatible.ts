import type { IncomingMessage } from 'node:http'
import type { Model, ModelPart } from '../../../ports/model.ts'
import { withoutSecrets } from '../keys/without-secrets.ts'
import { MAX_STREAM } from '../resilient/limits.ts'
import { readRetryAfter } from '../resilient/retry-after.ts'
import {
  describeError,
  describeNonsense,
  describeStatus,
  describeTooLarge,
  describeWebPage,
} from './failure.ts'
import { post } from './post.ts'
import { ReplyReader } from './reply-reader.ts'
import { TooLarge, readEvents } from './sse.ts'
import { type WireOptions, toWire } from './wire.ts'

export interface OpenAiCompatibleOptions extends WireOptions {
  base_url: string
  api_key?: string
  headers?: Record<string, string>
  /** Shown to people in front of the model's name. */
  provider?: string
}

const LONGEST_BODY = 1_000_000
/** For what may follow a finished reply. */
const GRACE_MS = 2_000

/** Any server that speaks OpenAI's Chat Completions, streamed. One request: patience and retries are `resilient`'s. */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { provider = 'openai_compatible' } = options
  const label = `${provider}/${options.model}`
  const url = `${options.base_url.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    ...(options.api_key && { authorization: `Bearer ${options.api_key}` }),
    ...options.headers,
  }
  const model: Model = {
    label,
    stream: (request, signal) => ask(JSON.stringify(toWire(options, request)), signal),
  }
  return withoutSecrets(model, [options.api_key])

  async function* ask(body: string, signal: AbortSignal): AsyncGenerator<ModelPart> {
    try {
      const response = await post({ url, headers, body, signal })
      if (response.statusCode === 200) return yield* readReply(label, response)
      const status = response.statusCode ?? 0
      const retry_after_ms = readRetryAfter(response.headers, Date.now())
      const failure = describeStatus(label, status, await readText(response))
      yield {
        type: 'failed',
        failure: { ...failure, ...(retry_after_ms !== undefined && { retry_after_ms }) },
        ...((status === 429 || status === 529) && { throttled: true }),
      }
    } catch (error) {
      if (!signal.aborted) yield { type: 'failed', failure: describeError(label, url, error) }
    }
  }
}

/** Ends after the first failure. */
async function* readReply(label: string, response: IncomingMessage): AsyncGenerator<ModelPart> {
  const reader = new ReplyReader()
  const type = response.headers['content-type'] ?? ''
  const bodies = type.includes('application/json') ? wholeBody(response) : eventBodies(response)
  let grace: NodeJS.Timeout | undefined
  try {
    for await (const data of bodies) {
      if (data === '[DONE]') {
        reader.finished = true
        break
      }
      for (const part of reader.read(data)) {
        yield part
        if (part.type === 'failed') return
      }
      // Only the usage can still come, and not every server closes.
      if (reader.finished) grace ??= setTimeout(() => response.destroy(), GRACE_MS)
    }
  } catch (error) {
    if (error instanceof TooLarge) return yield { type: 'failed', failure: describeTooLarge(label, error) }
    if (error instanceof SyntaxError) return yield { type: 'failed', failure: describeNonsense(label, error) }
    if (!reader.finished) throw error
  } finally {
    clearTimeout(grace)
    // What comes after the reply is let through unread, so that the connection can be used again.
    if (reader.finished) response.resume()
    else response.destroy()
  }
  if (reader.finished) return yield* reader.calls()
  if (type.includes('text/html')) return yield { type: 'failed', failure: describeWebPage(label) }
  const message = `${label} broke off in the middle of its reply`
  yield { type: 'failed', failure: { kind: 'network', message, retryable: true } }
}

const eventBodies = (response: IncomingMessage): AsyncGenerator<string> =>
  readEvents(withinLimit(response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>))

async function* withinLimit(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_STREAM) throw new TooLarge(`more than ${MAX_STREAM} bytes`)
    yield chunk
  }
}

async function* wholeBody(response: IncomingMessage): AsyncGenerator<string> {
  yield await readText(response)
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk as string
    if (text.length > LONGEST_BODY) break
  }
  return text
}
