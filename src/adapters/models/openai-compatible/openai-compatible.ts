import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import { describeError, describeNonsense, describeStatus, describeWebPage } from './failure.ts'
import { post } from './post.ts'
import { ReplyReader } from './reply-reader.ts'
import { readEvents } from './sse.ts'
import { toWire } from './wire.ts'

export interface OpenAiCompatibleOptions {
  base_url: string
  model: string
  api_key?: string
  headers?: Record<string, string>
  /** No byte for this long means that the server has gone silent. */
  silence_ms?: number
  /** Before the second attempt; each further one waits twice as long. */
  first_delay_ms?: number
}

const SILENCE_MS = 120_000
const ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
const LONGEST_BODY = 1_000_000

/** Any server that speaks OpenAI's Chat Completions, streamed. */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { silence_ms = SILENCE_MS, first_delay_ms = FIRST_DELAY_MS } = options
  const label = `openai_compatible/${options.model}`
  const url = `${options.base_url.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    ...(options.api_key && { authorization: `Bearer ${options.api_key}` }),
    ...options.headers,
  }
  return {
    label,
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const body = JSON.stringify(toWire(options.model, request))
      for (let attempt = 1; ; attempt++) {
        let begun = false
        let failure: Failure | undefined
        let retryAfter: number | undefined
        try {
          const response = await post({ url, headers, body, signal, silence_ms })
          if (response.statusCode === 200) {
            for await (const part of readReply(label, response)) {
              if (part.type === 'failed') {
                failure = part.failure
                break
              }
              begun = true
              yield part
            }
          } else {
            retryAfter = Number(response.headers['retry-after']) * 1000
            failure = describeStatus(label, response.statusCode ?? 0, await readText(response))
          }
        } catch (error) {
          failure = describeError(label, url, error)
        }
        if (signal.aborted || !failure) return
        failure = hideKey(failure, options.api_key)
        // Once text has been shown, a second attempt would show it twice.
        if (begun || !failure.retryable || attempt === ATTEMPTS) return yield { type: 'failed', failure }
        const delay_ms = nextDelay(first_delay_ms * 2 ** (attempt - 1), retryAfter)
        yield { type: 'retrying', attempt, delay_ms, reason: failure.message }
        await sleep(delay_ms, undefined, { signal }).catch(() => undefined)
      }
    },
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
      yield* reader.read(data)
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

/** Servers have been seen to repeat the key they refuse. */
function hideKey(failure: Failure, key: string | undefined): Failure {
  return key ? { ...failure, message: failure.message.replaceAll(key, '[key]') } : failure
}

/** Exponential with jitter; what the server asks for is honoured within reason. */
function nextDelay(usual: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined && retryAfter >= 0) return Math.min(retryAfter, LONGEST_DELAY_MS)
  return Math.round(Math.min(usual, LONGEST_DELAY_MS) * (0.75 + Math.random() / 2))
}
