import type { SlashCommand } from './command.ts'

export const quitCommand: SlashCommand = {
  name: 'quit',
  about: 'leave',
  run: (app) => app.dispatch({ type: 'quit' }),
}
