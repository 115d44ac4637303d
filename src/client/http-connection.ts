import { ClientError } from './client.ts'
import { EventReader, type ServerSentEvent } from './wire.ts'

export interface HttpOptions {
  /** Of the server, without a path. Empty in a page of its own. */
  url: string
  /** Absent in a page: its cookie is sent. */
  token?: string
  fetch?: typeof fetch
  /** A connection that is silent for longer is made anew; the server says something every 15 s. */
  silence_ms?: number
}

export interface Following {
  /** Asked for anew at every connection. */
  path: () => string
  signal: AbortSignal
  onConnection?: (state: 'connected' | 'reconnecting') => void
}

const SILENCE_MS = 40_000
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000

/** Requests to one server. What it refuses is a `ClientError`. */
export class HttpConnection {
  readonly #options: HttpOptions

  constructor(options: HttpOptions) {
    this.#options = options
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.#request(path)).json()) as T
  }

  /** Nothing where there is nothing. */
  async bytes(path: string): Promise<Uint8Array | undefined> {
    try {
      return new Uint8Array(await (await this.#request(path)).arrayBuffer())
    } catch (error) {
      if (error instanceof ClientError && error.status === 404) return undefined
      throw error
    }
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' }
    const response = await this.#request(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as T
  }

  /** The messages of an event stream. Goes on by itself when the connection is lost. */
  async *follow({ path, signal, onConnection }: Following): AsyncGenerator<ServerSentEvent> {
    let delay = FIRST_DELAY_MS
    while (!signal.aborted) {
      try {
        for await (const message of this.#connect(path(), signal, () => onConnection?.('connected'))) {
          delay = FIRST_DELAY_MS
          yield message
        }
      } catch (error) {
        // Trying again helps only when the server may answer otherwise.
        const gone = error instanceof ClientError && error.status < 500 && error.status !== 429
        if (gone && !signal.aborted) throw error
      }
      if (signal.aborted) return
      onConnection?.('reconnecting')
      await sleep(delay * (0.75 + Math.random() / 2), signal)
      delay = Math.min(delay * 2, LONGEST_DELAY_MS)
    }
  }

  async *#connect(path: string, signal: AbortSignal, onOpen: () => void): AsyncGenerator<ServerSentEvent> {
    const silence = this.#options.silence_ms ?? SILENCE_MS
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal.addEventListener('abort', stop, { once: true })
    let alarm = setTimeout(stop, silence)
    try {
      const response = await this.#request(path, { signal: attempt.signal })
      onOpen()
      const events = new EventReader()
      const decoder = new TextDecoder()
      for await (const bytes of piecesOf(response)) {
        clearTimeout(alarm)
        alarm = setTimeout(stop, silence)
        yield* events.feed(decoder.decode(bytes, { stream: true }))
      }
    } finally {
      clearTimeout(alarm)
      attempt.abort()
      signal.removeEventListener('abort', stop)
    }
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, token, fetch: send = fetch } = this.#options
    const headers = new Headers(init.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const response = await send(`${url}${path}`, { ...init, headers, redirect: 'error' }).catch(unanswered)
    if (!response.ok) throw new ClientError(response.status, await explain(response))
    return response
  }
}

/** Browsers and Node each have words of their own for it. */
function unanswered(error: unknown): never {
  if (!(error instanceof TypeError)) throw error
  throw new Error('the server does not answer', { cause: error.cause ?? error })
}

async function explain(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error === 'string') return error
  } catch {
    // Not from our server: its words are shown as they are.
  }
  return `${response.status} ${text.slice(0, 300)}`
}

/** Not every browser can iterate a body. */
async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) return
    yield piece.value
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
