import { pickAgent } from './agents.ts'
import type { SlashCommand } from './command.ts'

export const modelCommand: SlashCommand = {
  name: 'model',
  about: 'pick the agent that answers by its model',
  run: (app) => pickAgent(app, 'Models'),
}
