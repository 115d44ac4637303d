import { Readable } from 'node:stream'
import { post } from '../openai-compatible/post.ts'

/** As much of `fetch` as the providers' packages use. */
export type Fetch = typeof globalThis.fetch

/** Posts over our own connections: they are kept, and follow no redirect, which would take the key along. */
export const fetchOverPost: Fetch = async (input, init = {}) => {
  const response = await post({
    url: String(input),
    headers: init.headers as Record<string, string>,
    body: String(init.body),
    signal: init.signal ?? new AbortController().signal,
  })
  const { statusCode = 0, statusMessage = '' } = response
  const reply = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: statusMessage,
    headers: new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    body: Readable.toWeb(response),
  }
  return reply as unknown as Response
}
