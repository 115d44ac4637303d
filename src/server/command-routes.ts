import type { App } from './app.ts'
import { readJson } from './body.ts'
import { check } from './check.ts'
import { commandSchema } from './command-schema.ts'
import { openApi } from './openapi.ts'
import type { ServerParts } from './parts.ts'
import { settleCommand } from './settle-command.ts'

/** Takes commands, and says which there are. */
export function addCommandRoutes(app: App, { client }: ServerParts): void {
  app.post('/api/commands', async (context) => {
    const command = check(commandSchema, await readJson(context.env.incoming))
    return context.json(await client.execute(settleCommand(command, await client.roster())))
  })

  app.get('/api/openapi.json', async (context) => context.json(openApi((await client.roster()).version)))

  app.get('/api/roster', async (context) => context.json(await client.roster()))
}
