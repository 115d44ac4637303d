import type { ToolCall, ToolTraits } from '../../schema/turn-event.ts'

/** Programs that only look. */
const lookers = new Set(
  'cat head tail ls pwd wc file stat du df date whoami uname which grep rg diff true'.split(' '),
)
const compound = ['>', '<', '|', '&', ';', '`', '$', '\n']

/**
 * Whether a call may have changed something, so that the turn is worth an explicit reflection at its end. Grants
 * nothing: a command that only looks harmless is still authorised as a command.
 */
export function mayChange(call: ToolCall, traits: ToolTraits): boolean {
  if (traits.read_only) return false
  const command = call.input['command']
  if (traits.changes !== 'anything' || typeof command !== 'string') return true
  if (compound.some((sign) => command.includes(sign))) return true
  return !lookers.has(command.trim().split(' ', 1)[0] ?? '')
}
