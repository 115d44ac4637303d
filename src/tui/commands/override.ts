import type { SlashCommand } from './command.ts'

export const overrideCommand: SlashCommand = {
  name: 'override',
  about: 'choose another presenter after the vote',
  run: (app) => app.dispatch({ type: 'open_pending' }),
}
