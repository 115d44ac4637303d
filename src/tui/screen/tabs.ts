import { type Block, emptyBlock } from '../draw/block.ts'
import { type Piece, row } from '../draw/row.ts'
import type { Style, Theme } from '../draw/theme.ts'
import type { UiState } from '../state/ui-state.ts'
import type { Scene } from './scene.ts'

/** One tab for each agent, and one for the team. In single-agent mode all but the active one are grey. */
export function tabs(theme: Theme, scene: Scene, ui: UiState, width: number): Block {
  const { agents, mode } = scene
  if (agents.length === 0) return emptyBlock
  const short = width < 24 * agents.length
  const pieces = agents.flatMap((agent, index): Piece[] => {
    const single = mode.agent_mode === 'single'
    const active = agent.id === (single ? mode.active_agent : scene.watching)
    const grey = single && !active
    const chosen = active && !ui.team_tab
    const name = `${index + 1} ${agent.id}`
    const action = { type: 'pick_agent', agent_id: agent.id } as const
    const state = short && !active ? '' : ` ${glyphs[agent.state] ?? '·'} ${agent.state}`
    return [
      { text: index === 0 ? '  ' : '│ ', style: 'border' },
      {
        text: name,
        style: grey ? 'disabled' : chosen && agents.length > 1 ? 'underline' : 'text',
        ...(chosen && { also: 'bold' as const }),
        action,
      },
      { text: `${state} `, style: grey ? 'disabled' : (stateStyles[agent.state] ?? 'dim'), action },
    ]
  })
  const team: Piece[] =
    agents.length > 1
      ? [
          { text: '│ ', style: 'border' },
          {
            text: 'Team',
            style: ui.team_tab ? 'underline' : 'dim',
            ...(ui.team_tab && { also: 'bold' as const }),
            action: { type: 'show_team', shown: !ui.team_tab },
          },
        ]
      : []
  return row(theme, [...pieces, ...team], width)
}

export const glyphs: Record<string, string> = {
  idle: '○',
  planning: '✎',
  acting: '✎',
  observing: '◉',
  reflecting: '◔',
  answered: '✔',
  voted: '●',
  presenting: '★',
  waiting: '⌛',
  failed: '✖',
  done: '✔',
}

export const stateStyles: Record<string, Style> = {
  planning: 'plan',
  acting: 'act',
  reflecting: 'accent',
  observing: 'dim',
  waiting: 'wait',
  failed: 'error',
  answered: 'success',
  voted: 'success',
  presenting: 'accent',
}
