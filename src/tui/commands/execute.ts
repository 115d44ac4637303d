import type { SlashCommand } from './command.ts'

export const executeCommand: SlashCommand = {
  name: 'execute',
  about: 'review and execute the plan',
  run: (app) => app.dispatch({ type: 'open_plan' }),
}
