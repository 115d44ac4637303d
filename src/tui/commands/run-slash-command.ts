import type { App } from '../app.ts'
import { sendMessage } from '../tasks/send-message.ts'
import { slashCommands } from './registry.ts'

/** Runs a command by its name, or by the beginning of it when only one fits. */
export async function runSlashCommand(app: App, name: string, rest: string): Promise<void> {
  const exact = slashCommands.find((command) => command.name === name)
  if (exact) return void (await exact.run(app, rest))
  const own = (await app.host?.commands())?.get(name)
  if (own !== undefined)
    return sendMessage(
      app,
      own.includes('$ARGUMENTS') ? own.replaceAll('$ARGUMENTS', rest) : `${own}\n${rest}`.trim(),
    )
  const fitting = slashCommands.filter((command) => command.name.startsWith(name))
  const [only] = fitting
  if (only && fitting.length === 1) return void (await only.run(app, rest))
  const meant = fitting.map((command) => `/${command.name}`).join(', ')
  app.dispatch({
    type: 'say',
    text: `There is no /${name}${meant ? `; did you mean ${meant}?` : '; /help lists all'}`,
    tone: 'error',
  })
}
