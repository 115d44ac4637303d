import { helpPage } from '../modals/help.ts'
import type { SlashCommand } from './command.ts'

export const helpCommand: SlashCommand = {
  name: 'help',
  about: 'keys and commands',
  run: async (app) => app.dispatch({ type: 'open_modal', modal: helpPage(await app.commandList()) }),
}
