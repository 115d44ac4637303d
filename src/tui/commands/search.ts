import type { SlashCommand } from './command.ts'

export const searchCommand: SlashCommand = {
  name: 'search',
  about: 'search this transcript',
  takes: 'words',
  run: (app, rest) => app.dispatch({ type: 'search', query: rest }),
}
