import { ClientError } from '../client/client.ts'
import { evolve as evolveRun } from '../core/run/evolve.ts'
import { initialRun } from '../core/run/state.ts'
import { evolve as evolveSession } from '../core/session/evolve.ts'
import { type SessionState, initialSession } from '../core/session/state.ts'
import type { ChatId, RunId } from '../schema/ids.ts'
import type { RunEvent } from '../schema/run-event.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import type { App } from './app.ts'
import { check } from './check.ts'
import { chatIdSchema, streamIdSchema } from './command-schema.ts'
import type { ServerParts } from './parts.ts'

/** Where a project keeps what is ours. */
const WORKSPACE = '.conclave'

/** What a page looks at beside the chat. Nothing here changes anything. */
export function addReadRoutes(app: App, { client, files, config }: ServerParts): void {
  app.get('/api/streams/:id', async (context) => {
    const stream = check(streamIdSchema, context.req.param('id'))
    const after = Number(context.req.query('after') ?? 0)
    if (!Number.isSafeInteger(after) || after < 0) throw new ClientError(400, 'after is a whole number')
    const limit = Number(context.req.query('limit') ?? Number.NaN)
    return context.json({
      envelopes: await client.read(stream, after, limit > 0 ? Math.floor(limit) : undefined),
    })
  })

  app.get('/api/chats/:id/plan', async (context) => {
    const { plan } = await readSession(check(chatIdSchema, context.req.param('id')))
    if (!plan) throw new ClientError(404, 'this chat has no plan')
    return context.json(plan)
  })

  /** A file of the project workspace, or what is in a folder of it. */
  app.get('/api/chats/:id/workspace', async (context) => {
    const { folder } = await readSession(check(chatIdSchema, context.req.param('id')))
    return context.json(await readFile(folder, `${WORKSPACE}/${plainPath(context.req.query('path') ?? '')}`))
  })

  /** All that a candidate changes. */
  app.get('/api/runs/:id/answers/:label/diff', async (context) => {
    const run = await readRun(context.req.param('id'))
    return context.json({ diff: (await client.diff(run.run_id, context.req.param('label'))) ?? null })
  })

  app.get('/api/config', async (context) => context.json(await config()))

  async function readSession(chat: ChatId): Promise<SessionState> {
    const log = await client.read(chat)
    if (log.length === 0) throw new ClientError(404, `there is no chat ${chat}`)
    return log.reduce((state, { event }) => evolveSession(state, event as SessionEvent), initialSession)
  }

  async function readRun(id: string) {
    const stream = check(streamIdSchema, id)
    const log = stream.startsWith('run_') ? await client.read(stream as RunId) : []
    if (log.length === 0) throw new ClientError(404, `there is no run ${id}`)
    return log.reduce((state, { event }) => evolveRun(state, event as RunEvent), initialRun)
  }

  async function readFile(folder: string, path: string) {
    const found = await files.read(folder, path)
    if ('refused' in found) throw new ClientError(404, found.refused)
    return found
  }
}

/** A path below, word by word: nothing that leads elsewhere is passed on. */
function plainPath(path: string): string {
  const words = path.split('/').filter((word) => word !== '')
  if (path.length > 4_096 || words.some((word) => word === '.' || word === '..' || /[\\\0]/.test(word))) {
    throw new ClientError(400, 'no such path')
  }
  return words.join('/')
}
