import type { SlashCommand } from './command.ts'

export const actCommand: SlashCommand = {
  name: 'act',
  about: 'Act mode: carry out what is asked',
  run(app) {
    const is = app.view.config.agent_mode
    if (is !== 'Act') app.dispatch({ type: 'toggle', id: 'plan' })
  },
}
