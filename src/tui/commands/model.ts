import type { SlashCommand } from './command.ts'
import { agentsCommand } from './agents.ts'

export const modelCommand: SlashCommand = {
  name: 'model',
  about: 'pick the agent, and with it the model',
  run: agentsCommand.run,
}
