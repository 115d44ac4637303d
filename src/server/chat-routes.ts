import { z } from 'zod'
import { type Reader, readExchange, readLogBefore } from '../client/chat-logs.ts'
import { ClientError } from '../client/client.ts'
import { ChatFollower } from '../client/follow-chat.ts'
import { type WirePage, writeCursor } from '../client/wire.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import type { App } from './app.ts'
import { readJson } from './body.ts'
import { check } from './check.ts'
import { chatIdSchema } from './command-schema.ts'
import type { ServerParts } from './parts.ts'
import { settleCommand } from './settle-command.ts'

const MOST_EXCHANGES = 200
const EXCHANGES = 20
const LOG = 200
const MOST_LOG = 10_000

export const newChatSchema = z.strictObject({
  title: z.string().max(500).default('New chat'),
  agent_mode: z.enum(['Plan', 'Act']).optional(),
  fork: z.strictObject({ chat_id: chatIdSchema, at: z.string().min(1).max(200).optional() }).optional(),
})

/** Lists, makes and opens chats. */
export function addChatRoutes(app: App, { client }: ServerParts): void {
  const reader: Reader = { read: (stream, after, limit) => client.read(stream, after, limit) }

  app.get('/api/chats', async (context) => context.json(await client.chats()))

  app.get('/api/search', async (context) => {
    const words = context.req.query('words') ?? ''
    return context.json(await client.search(words.slice(0, 1_000)))
  })

  app.post('/api/chats', async (context) => {
    const wanted = check(newChatSchema, await readJson(context.env.incoming))
    const [chat_id, roster] = await Promise.all([client.newChatId(), client.roster()])
    const command = { type: 'create_chat', chat_id, folder: roster.folder, ...wanted } as const
    const result = await client.execute(settleCommand(command, roster))
    return result.accepted ? context.json({ chat_id }, 201) : context.json({ error: result.reason }, 400)
  })

  app.post('/api/chats/id', async (context) => context.json({ chat_id: await client.newChatId() }))

  app.get('/api/chats/:id', async (context) => {
    const chat = check(chatIdSchema, context.req.param('id'))
    const exchanges = count(context.req.query('exchanges'), { usual: EXCHANGES, most: MOST_EXCHANGES })
    const asked = context.req.query('log')
    const log = asked === undefined ? undefined : count(asked, { usual: LOG, most: MOST_LOG })
    const feed = await client.open(chat, { exchanges, ...(log !== undefined && { log }) })
    feed.close()
    const follower = new ChatFollower(reader, nothing, chat)
    const { first, unread, head } = feed
    follower.start([...(head?.log ?? []), ...first])
    const page = { envelopes: first, unread, cursor: writeCursor(follower.cursor), ...(head && { head }) }
    return context.json(page as WirePage)
  })

  /** The chat's own log before an event of it, or its end; whole turns, so it can be a little more than asked for. */
  app.get('/api/chats/:id/log', async (context) => {
    const chat = check(chatIdSchema, context.req.param('id'))
    const limit = count(context.req.query('limit'), { usual: LOG, most: MOST_LOG })
    const asked = context.req.query('before')
    if (asked === undefined) return context.json({ envelopes: await client.glance(chat, limit) })
    const before = count(asked, { usual: 1, most: Number.MAX_SAFE_INTEGER })
    return context.json({ envelopes: await readLogBefore(reader, chat, before, limit) })
  })

  /** The logs of turns and runs that were left out when the chat was opened. */
  app.get('/api/chats/:id/exchanges', async (context) => {
    check(chatIdSchema, context.req.param('id'))
    const ids = (context.req.query('ids') ?? '')
      .split(',')
      .filter((id) => /^(turn|run)_[\w-]{1,100}$/.test(id))
    if (ids.length > MOST_EXCHANGES) throw new ClientError(400, `at most ${MOST_EXCHANGES} at once`)
    const logs = await Promise.all(ids.map((id) => readExchange(reader, id as TurnId | RunId)))
    return context.json({ envelopes: logs.flat() })
  })
}

const nothing = {
  close: () => undefined,
  async *[Symbol.asyncIterator]() {
    yield* []
  },
}

function count(given: string | undefined, { usual, most }: { usual: number; most: number }): number {
  const number = Number(given ?? usual)
  if (!Number.isSafeInteger(number) || number < 0) throw new ClientError(400, 'a count is a whole number')
  return Math.min(number, most)
}
