/** `Plan` looks and proposes, `Act` carries out. Wire name `agent_mode`. */
export type ChatMode = 'Plan' | 'Act'

export interface ChatConfig {
  agent_mode: ChatMode
}

/** What may happen without asking. Anything that would ask is refused under `deny`. */
export type PermissionMode = 'ask' | 'auto-edit' | 'auto' | 'deny'

/**
 * A chat stored without a mode is an `Act` chat. A stored value we do not know may have meant "hands off", so it opens
 * as `Plan` and says so.
 */
export function readChatConfig(stored: unknown): { config: ChatConfig; warning?: string } {
  const shape =
    stored === undefined || (typeof stored === 'object' && stored !== null && !Array.isArray(stored))
  const mode: unknown = shape ? (stored as { agent_mode?: unknown } | undefined)?.agent_mode : stored
  if (shape && (mode === undefined || mode === 'Plan' || mode === 'Act'))
    return { config: { agent_mode: readMode(mode) } }
  return {
    config: { agent_mode: 'Plan' },
    warning: `this chat's stored agent_mode ${JSON.stringify(mode)} is unknown; it was opened in Plan mode`,
  }
}

export const readMode = (stored: unknown): ChatMode =>
  stored === undefined || stored === 'Act' ? 'Act' : 'Plan'
