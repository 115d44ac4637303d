import type { App } from '../app.ts'
import { emptyField } from '../state/field.ts'
import type { SlashCommand } from './command.ts'

export const agentsCommand: SlashCommand = {
  name: 'agents',
  about: 'pick the one agent that answers',
  run: (app) => pickAgent(app, 'Agents'),
}

/** Whoever is picked answers alone from now on; in a team that means single-agent mode. */
export function pickAgent(app: App, title: string): void {
  const { agents, mode } = app.scene
  const single = mode.agent_mode === 'single'
  const isActive = (id: string) => single && id === mode.active_agent
  const { chat_id } = app.view
  app.dispatch({
    type: 'open_modal',
    modal: {
      kind: 'picker',
      title: single ? title : `${title} · one answers alone`,
      query: emptyField,
      items: agents.map(({ id, model }) => ({
        label: `${isActive(id) ? '● ' : ''}${id}`,
        note: model,
        action: {
          type: 'command',
          command: {
            type: 'set_team',
            chat_id,
            active_agent: id,
            ...(!single && { team_mode: 'single' as const }),
          },
        },
      })),
      cursor: Math.max(
        0,
        agents.findIndex(({ id }) => isActive(id)),
      ),
      empty: 'No agent fits',
    },
  })
}
