import type { ChatMode, PermissionMode } from '../../schema/chat-config.ts'
import type { Severity } from '../../schema/pending.ts'
import type { ToolTraits } from '../../schema/turn-event.ts'

export type Authorization =
  | { verdict: 'allow' }
  | { verdict: 'ask'; reason: string; severity: Severity }
  | { verdict: 'deny'; reason: string }

/**
 * May this call be dispatched now? Asked at dispatch, against the mode of that moment: what was listed to the model
 * does not matter. Small edits proceed; deletions and commands ask, whatever the model says of them.
 */
export function authorize(traits: ToolTraits, mode: ChatMode, permission: PermissionMode): Authorization {
  if (traits.read_only) return { verdict: 'allow' }
  if (mode === 'Plan') {
    return {
      verdict: 'deny',
      reason: `${traits.name} can change things, and in Plan mode nothing may be changed`,
    }
  }
  if (permission === 'auto' || traits.nested || (traits.changes === 'files' && !traits.destructive)) {
    return { verdict: 'allow' }
  }
  const reason = traits.destructive
    ? `${traits.name} deletes something`
    : `${traits.name} can change anything`
  if (permission === 'deny') {
    return {
      verdict: 'deny',
      reason: `${reason}, and this session may not ask (start it with --permission-mode auto to allow it)`,
    }
  }
  return { verdict: 'ask', reason, severity: traits.destructive ? 'major' : 'minor' }
}
