import type { IncomingMessage } from 'node:http'
import type { Model, ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import { describeError, describeStatus } from './failure.ts'
import { post } from './post.ts'
import { readEvents } from './sse.ts'
import { ReplyReader, toWire } from './wire.ts'

export interface OpenAiCompatibleOptions {
  base_url: string
  model: string
  api_key?: string
  headers?: Record<string, string>
}

const ATTEMPTS = 4
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

/** Any server that speaks OpenAI's Chat Completions, streamed. */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
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
          const response = await post(url, headers, body, signal)
          if (response.statusCode === 200) {
            for await (const part of readReply(label, response)) {
              if (part.type === 'failed') failure = part.failure
              else {
                begun = true
                yield part
              }
            }
          } else {
            retryAfter = Number(response.headers['retry-after']) * 1000
            failure = describeStatus(label, response.statusCode ?? 0, await readText(response))
          }
        } catch (error) {
          failure = describeError(label, url, error)
        }
        if (signal.aborted || !failure) return
        // Once text has been shown, a second attempt would show it twice.
        if (begun || !failure.retryable || attempt === ATTEMPTS) return yield { type: 'failed', failure }
        const delay_ms = nextDelay(attempt, retryAfter)
        yield { type: 'retrying', attempt, delay_ms, reason: failure.message }
        await pause(delay_ms, signal)
      }
    },
  }
}

async function* readReply(label: string, response: IncomingMessage): AsyncGenerator<ModelPart> {
  const reader = new ReplyReader()
  if (response.headers['content-type']?.includes('application/json')) {
    yield* reader.read(await readText(response))
  } else {
    for await (const data of readEvents(response)) {
      if (data === '[DONE]') break
      yield* reader.read(data)
    }
  }
  if (!reader.finished) {
    const message = `${label} broke off in the middle of its reply`
    return yield { type: 'failed', failure: { kind: 'network', message, retryable: true } }
  }
  yield* reader.calls()
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk as string
    if (text.length > 1_000_000) break
  }
  return text
}

/** Exponential with jitter; what the server asks for is honoured within reason. */
function nextDelay(attempt: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined && retryAfter >= 0) return Math.min(retryAfter, LONGEST_DELAY_MS)
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS)
  return Math.round(delay * (0.75 + Math.random() / 2))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
