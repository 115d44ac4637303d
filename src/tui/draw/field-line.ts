import { CURSOR_MARKER } from '@earendil-works/pi-tui'
import type { Field } from '../state/field.ts'
import { type Theme, oneLine } from './theme.ts'

/** A field with its cursor; the part around the cursor is shown when it is too long. */
export function fieldLine(theme: Theme, field: Field, width: number, focused: boolean): string {
  const before = oneLine(field.text.slice(0, field.cursor))
  const after = oneLine(field.text.slice(field.cursor))
  const room = Math.max(1, width - 1)
  const left = before.slice(Math.max(0, before.length - room))
  if (!focused) return `${left}${after.slice(0, Math.max(0, room - left.length))}`
  const [first = ' ', ...rest] = [...after]
  const tail = rest.join('').slice(0, Math.max(0, room - left.length - 1))
  return `${left}${CURSOR_MARKER}\u001b[7m${first}\u001b[27m${theme.wrap('text', tail)}`
}
