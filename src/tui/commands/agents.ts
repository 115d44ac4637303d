import type { SlashCommand } from './command.ts'
import { emptyField } from '../state/field.ts'

export const agentsCommand: SlashCommand = {
  name: 'agents',
  about: 'pick the agent that answers',
  run(app) {
    const { agents, mode } = app.scene
    app.dispatch({
      type: 'open_modal',
      modal: {
        kind: 'picker',
        title: 'Agents',
        query: emptyField,
        items: agents.map(({ id, model }) => ({
          label: `${id === mode.active_agent ? '● ' : ''}${id}`,
          note: model,
          action: {
            type: 'command',
            command: { type: 'set_team', chat_id: app.view.chat_id, active_agent: id },
          },
        })),
        cursor: 0,
        empty: 'No agent fits',
      },
    })
  },
}
