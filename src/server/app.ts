import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { ClientError } from '../client/client.ts'
import { addAssetRoutes } from './asset-routes.ts'
import { addChatRoutes } from './chat-routes.ts'
import { addCommandRoutes } from './command-routes.ts'
import { addEventRoutes } from './event-routes.ts'
import type { EventStreams } from './event-streams.ts'
import { type GuardOptions, OPEN_ROUTE, guard } from './guard.ts'
import { addPictureRoutes } from './picture-routes.ts'
import { addReadRoutes } from './read-routes.ts'
import type { ServerParts } from './parts.ts'

/** What Node knows of a request, for the one route that writes as it goes. */
export interface Bindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
}

export type App = Hono<{ Bindings: Bindings }>

export interface AppOptions extends GuardOptions {
  streams: EventStreams
}

/** All routes, behind one guard. */
export function createApp(parts: ServerParts, options: AppOptions): App {
  const app: App = new Hono()
  app.use('*', guard(options))
  app.get(OPEN_ROUTE, (context) => context.json({ status: 'ok' }))
  // Before the route of one chat, whose address fits, too.
  addEventRoutes(app, parts, options.streams)
  addChatRoutes(app, parts)
  addCommandRoutes(app, parts)
  addPictureRoutes(app, parts)
  addReadRoutes(app, parts)
  addAssetRoutes(app, parts, options.access)
  app.notFound((context) => context.json({ error: 'there is nothing here' }, 404))
  app.onError((error, context) => {
    const known = describe(error)
    if (known.status === 500) process.stderr.write(`conclave: ${error.stack ?? error.message}\n`)
    return new Response(JSON.stringify({ error: known.message }), {
      status: known.status,
      headers: { ...Object.fromEntries(context.res.headers), 'content-type': 'application/json' },
    })
  })
  return app
}

/** What a client may know of a failure: what it did wrong, or what a person can do. */
function describe(error: Error): { status: number; message: string } {
  if (error instanceof ClientError) return error
  if (error.name === 'ChatInUse') return { status: 409, message: error.message }
  if (error.name === 'JournalError') return { status: 503, message: error.message }
  return { status: 500, message: 'a bug in conclave; the server has written more about it' }
}
