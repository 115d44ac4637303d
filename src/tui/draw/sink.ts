import { CURSOR_MARKER } from '@earendil-works/pi-tui'
import { oneLine } from './theme.ts'

/**
 * The one way to the screen. Styles and the mark of the cursor are ours and pass; whatever else a terminal could act on
 * is made visible, even if it slipped past the theme.
 */
export function sink(line: string): string {
  if (!suspicious.test(line)) return line
  return line
    .split(ours)
    .map((part, index) => (index % 2 === 1 ? part : oneLine(part)))
    .join('')
}

const escaped = CURSOR_MARKER.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const ours = new RegExp(`(\u001b\\[[\\d;]*m|${escaped})`)
const suspicious = /[^ -~]/
