import type { Block } from '../draw/block.ts'
import { spread } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import type { UiState } from '../state/ui-state.ts'
import type { Scene } from './scene.ts'

/** The last line: what the mode means, and the keys that matter now. */
export function statusLine(
  theme: Theme,
  scene: Scene,
  ui: UiState,
  { width, hover }: { width: number; hover: string | undefined },
): Block {
  if (ui.search) {
    const found = ui.search.query === '' || ui.search.place !== undefined ? '' : ' · not found'
    return spread(
      theme,
      [
        { text: ` search: ${ui.search.query}▏`, style: 'accent' },
        ui.looking === undefined
          ? { text: found, style: 'error' }
          : { text: ` · ${ui.looking}`, style: 'wait' },
      ],
      [{ text: '↑↓ other matches · Esc close ', style: 'dim' }],
      width,
    )
  }
  const keys = keysFor(scene, width)
  const about = aboutTab(scene) ?? scene.toggles.find(({ id }) => id === 'plan')?.description ?? ''
  return spread(
    theme,
    [{ text: ` ${hover ?? about}`, style: hover ? 'accent' : 'dim', action: { type: 'explain_modes' } }],
    [{ text: keys, style: 'dim' }],
    width,
  )
}

/** How to come back from an agent's own work. */
function aboutTab({ watching, agents }: Scene): string | undefined {
  if (watching === undefined) return undefined
  const place = agents.findIndex(({ id }) => id === watching) + 1
  return `What ${watching} does. ${place <= 9 ? `${place} again` : 'A click on its tab'} shows the chat.`
}

function keysFor({ working, pendings }: Scene, width: number): string {
  if (pendings.length > 0) return width < 100 ? '? help ' : '↑↓ choose · Enter take it · ? help '
  if (working) return width < 100 ? 'Alt+Enter queues · ? help ' : 'Enter steers · Alt+Enter queues · ? help '
  return width < 100 ? '/ commands · ? help ' : 'Enter send · / commands · @ files · ? help '
}
