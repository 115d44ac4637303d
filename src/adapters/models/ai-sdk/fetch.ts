import { Readable } from 'node:stream'
import { post } from '../openai-compatible/post.ts'

/** As much of `fetch` as the providers' packages use. */
export type Fetch = typeof globalThis.fetch

/**
 * Posts over our own connections: they are kept, end when a server goes silent, and follow no redirect, which would
 * take the key along.
 */
export function fetchOver({ silence_ms }: { silence_ms: number }): Fetch {
  return async (input, init = {}) => {
    const response = await post({
      url: String(input),
      headers: init.headers as Record<string, string>,
      body: String(init.body),
      signal: init.signal ?? new AbortController().signal,
      silence_ms,
    })
    const { statusCode = 0, statusMessage = '' } = response
    const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
    const reply = {
      ok: statusCode >= 200 && statusCode < 300,
      status: statusCode,
      statusText: statusMessage,
      headers,
      body: Readable.toWeb(response),
    }
    return reply as unknown as Response
  }
}
