import type { SlashCommand } from './command.ts'

export const planCommand: SlashCommand = {
  name: 'plan',
  about: 'Plan mode: look and propose, change nothing',
  run(app) {
    const is = app.view.config.agent_mode
    if (is !== 'Plan') app.dispatch({ type: 'toggle', id: 'plan' })
  },
}
