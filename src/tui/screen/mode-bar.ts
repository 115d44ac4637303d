import type { ModeToggle } from '../../view/mode-bar.ts'
import type { Block } from '../draw/block.ts'
import { type Piece, spread } from '../draw/row.ts'
import type { Style, Theme } from '../draw/theme.ts'
import type { Scene } from './scene.ts'

/** The toggles, directly above the input. While agents work they are grey and say so. */
export function modeBar(theme: Theme, { toggles, working, pendings }: Scene, width: number): Block {
  const left = toggles.flatMap((toggle): Piece[] => [
    { text: ' ' },
    {
      text: `[ ${shorten(toggle, width)} ]`,
      style: styleOf(toggle),
      ...(toggle.enabled && { also: 'bold' as const }),
      action: { type: 'toggle', id: toggle.id },
    },
  ])
  const hint = working ? 'locked while agents work ' : width < 60 ? '' : 'Shift+Tab Plan/Act '
  const right: Piece[] =
    pendings.length > 0
      ? [{ text: `${pendings.length} waiting for you `, style: 'wait', action: { type: 'open_pending' } }]
      : [{ text: hint, style: 'dim', action: { type: 'explain_modes' } }]
  return spread(theme, left, right, width)
}

function styleOf({ id, on, enabled }: ModeToggle): Style {
  if (id === 'interactive') return 'accent'
  if (!enabled) return 'disabled'
  if (id === 'plan') return on ? 'plan' : 'act'
  return on ? 'text' : 'dim'
}

function shorten({ id, label }: ModeToggle, width: number): string {
  if (id === 'interactive' && width < 100) return label.split(' · ', 1)[0] ?? label
  return id === 'refinement' && width < 60 ? label.replace('Refine', 'R') : label
}
