import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { type Client, ClientError } from '../client/client.ts'
import { readCursor } from '../client/wire.ts'
import type { ChatId, StreamId } from '../schema/ids.ts'
import type { App, Bindings } from './app.ts'
import { check } from './check.ts'
import { streamIdSchema } from './command-schema.ts'
import { type EventStreams, streamLimits } from './event-streams.ts'
import type { ServerParts } from './parts.ts'

type Asked = Context<{ Bindings: Bindings }>

/** The answer is written as it comes about, past the router. */
export const WRITTEN = 'x-conclave-written'

/**
 * `GET /api/events?stream=…&after=N`: the envelopes of a chat, run or turn and of all it leads to. `cursor`, or the
 * `Last-Event-ID` of a browser that connects anew, says how far every log was received.
 */
export function addEventRoutes(app: App, { follow, client }: ServerParts, streams: EventStreams): void {
  app.get('/api/events', async (context) => {
    const stream: StreamId = check(streamIdSchema, context.req.query('stream'))
    const after = context.req.query('after')
    const last = context.req.header('last-event-id') || context.req.query('cursor')
    const cursor = readCursor(last || `${stream}:${after ?? 0}`)
    if (!cursor) throw new ClientError(400, 'no such place: use the last id you were sent, or a whole number')
    const response = begin(context, streams)
    const follower = follow(stream, streamLimits.backlog)
    try {
      const missed = await follower.resume(cursor)
      writeHead(context, response)
      watched(response, streams.serve(response, follower, missed))
      if (isChat(stream)) goOn(client, stream)
    } catch (error) {
      follower.close()
      throw error
    }
    return alreadyWritten()
  })

  /** All chats, then those that change, as `ChatChanges`. */
  app.get('/api/chats/changes', async (context) => {
    const response = begin(context, streams)
    const stop = new AbortController()
    writeHead(context, response)
    const messages = changesOf(client, stop.signal)
    watched(response, streams.send(response, { messages, close: () => stop.abort() }))
    return alreadyWritten()
  })
}

const isChat = (stream: StreamId): stream is ChatId => stream.startsWith('chat_')

/**
 * Whoever comes back after the server was started again sees what was under way go on. A chat that cannot be opened,
 * because another process has it, can be followed all the same.
 */
function goOn(client: Client, chat: ChatId): void {
  client.open(chat, { exchanges: 0, log: 1 }).then(
    (feed) => feed.close(),
    () => undefined,
  )
}

async function* changesOf(client: Client, signal: AbortSignal): AsyncGenerator<string> {
  for await (const changes of client.watchChats(signal)) yield `data: ${JSON.stringify(changes)}\n\n`
}

function begin({ env: { outgoing } }: Asked, streams: EventStreams): ServerResponse {
  if (!outgoing) throw new ClientError(406, 'events are sent over a connection')
  if (streams.isFull) throw new ClientError(503, 'too many connections; close some pages')
  return outgoing
}

function writeHead({ res }: Asked, response: ServerResponse): void {
  const headers = {
    ...Object.fromEntries(res.headers),
    'content-type': 'text/event-stream; charset=utf-8',
  }
  response.writeHead(200, { ...headers, 'x-accel-buffering': 'no' })
}

function watched(response: ServerResponse, writing: Promise<void>): void {
  writing.catch((error: Error) => {
    process.stderr.write(`conclave: ${error.stack ?? error.message}\n`)
    response.destroy()
  })
}

const alreadyWritten = (): Response => new Response(null, { headers: { [WRITTEN]: '1' } })
