import type { TeamMode } from './coordination.ts'

/** `Plan` looks and proposes, `Act` carries out. Wire name `agent_mode`. */
export type ChatMode = 'Plan' | 'Act'

export interface ChatConfig {
  agent_mode: ChatMode
  /** Absent: as many as the config has. */
  team_mode?: TeamMode
  /** Absent: on for a team, off for one agent. */
  refinement?: boolean
  /** The agent that answers in single mode; absent: the first. */
  active_agent?: string
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
  const team = shape ? readTeam(stored) : {}
  if (shape && (mode === undefined || mode === 'Plan' || mode === 'Act'))
    return { config: { agent_mode: readMode(mode), ...team } }
  return {
    config: { agent_mode: 'Plan', ...team },
    warning: `this chat's stored agent_mode ${JSON.stringify(mode)} is unknown; it was opened in Plan mode`,
  }
}

/** What cannot be read is as if it had never been set. */
function readTeam(stored: unknown): Omit<ChatConfig, 'agent_mode'> {
  const { team_mode, refinement, active_agent } = (stored ?? {}) as Record<string, unknown>
  return {
    ...((team_mode === 'single' || team_mode === 'multi') && { team_mode }),
    ...(typeof refinement === 'boolean' && { refinement }),
    ...(typeof active_agent === 'string' && { active_agent }),
  }
}

export const readMode = (stored: unknown): ChatMode =>
  stored === undefined || stored === 'Act' ? 'Act' : 'Plan'
