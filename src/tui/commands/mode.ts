import type { SlashCommand } from './command.ts'

export const modeCommand: SlashCommand = {
  name: 'mode',
  about: 'what the modes mean',
  run: (app) => app.dispatch({ type: 'explain_modes' }),
}
