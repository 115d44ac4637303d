import type { SlashCommand } from './command.ts'
import { costCommand } from './cost.ts'

export const contextCommand: SlashCommand = {
  name: 'context',
  about: 'how full the context is',
  run: costCommand.run,
}
