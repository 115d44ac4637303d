import type { IncomingMessage } from 'node:http'
import type { Model, ModelPart } from '../../../ports/model.ts'
import { withoutSecrets } from '../keys/without-secrets.ts'
import { readRetryAfter } from '../resilient/retry-after.ts'
import { withRetries } from '../retry.ts'
import { describeError, describeNonsense, describeStatus, describeWebPage } from './failure.ts'
import { post } from './post.ts'
import { ReplyReader } from './reply-reader.ts'
import { readEvents } from './sse.ts'
import { type WireOptions, toWire } from './wire.ts'

export interface OpenAiCompatibleOptions extends WireOptions {
  base_url: string
  api_key?: string
  headers?: Record<string, string>
  /** Shown to people in front of the model's name. */
  provider?: string
  context_window?: number
  /** No byte for this long means that the server has gone silent. */
  silence_ms?: number
  /** Before the second attempt; each further one waits twice as long. */
  first_delay_ms?: number
  /** 1 leaves it to whoever asks. */
  attempts?: number
}

const SILENCE_MS = 120_000
const LONGEST_BODY = 1_000_000

/** Any server that speaks OpenAI's Chat Completions, streamed. */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { silence_ms = SILENCE_MS, first_delay_ms, attempts, provider = 'openai_compatible', context_window } = options
  const label = `${provider}/${options.model}`
  const url = `${options.base_url.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    ...(options.api_key && { authorization: `Bearer ${options.api_key}` }),
    ...options.headers,
  }
  const model: Model = {
    label,
    context_window,
    stream(request, signal) {
      const body = JSON.stringify(toWire(options, request))
      return withRetries(() => ask(body, signal), { signal, first_delay_ms, attempts })
    },
  }
  return withoutSecrets(model, [options.api_key])

  async function* ask(body: string, signal: AbortSignal): AsyncGenerator<ModelPart> {
    try {
      const response = await post({ url, headers, body, signal, silence_ms })
      if (response.statusCode === 200) return yield* readReply(label, response)
      const status = response.statusCode ?? 0
      const retry_after_ms = readRetryAfter(response.headers, Date.now())
      const failure = describeStatus(label, status, await readText(response))
      yield {
        type: 'failed',
        failure: { ...failure, ...(retry_after_ms !== undefined && { retry_after_ms }) },
        ...(status === 429 && { throttled: true }),
      }
    } catch (error) {
      yield { type: 'failed', failure: describeError(label, url, error) }
    }
  }
}

/** Ends after the first failure. */
async function* readReply(label: string, response: IncomingMessage): AsyncGenerator<ModelPart> {
  const reader = new ReplyReader()
  const type = response.headers['content-type'] ?? ''
  const bodies = type.includes('application/json') ? wholeBody(response) : eventBodies(response)
  try {
    for await (const data of bodies) {
      if (data === '[DONE]') {
        reader.finished = true
        break
      }
      const parts = reader.read(data)
      if (parts.length > 0) yield* parts
      else yield { type: 'progress', size: data.length }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return yield { type: 'failed', failure: describeNonsense(label, error) }
  } finally {
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
  readEvents(response.iterator({ destroyOnReturn: false }))

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
