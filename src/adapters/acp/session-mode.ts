import type { ChatMode } from '../../schema/chat-config.ts'
import type { AgentConnection } from './connect-agent.ts'
import { type Json, asList, asObject, asText } from './read-json.ts'

interface Modes {
  current: string | undefined
  ids: string[]
  set: { method: string; params: (id: string) => Json }
}

/**
 * Puts a session into the agent's own mode that is nearest to the chat's: one that only looks for Plan, one that asks for
 * Act. An agent that would not ask leaves nothing for us to decide.
 */
export async function chooseMode(
  connection: AgentConnection,
  sessionId: string,
  opened: Json,
  chatMode: ChatMode,
): Promise<void> {
  const modes = readModes(opened, sessionId)
  const wanted = modes && findMode(modes, chatMode)
  if (!wanted || wanted === modes.current) return
  // It is a courtesy: what the agent may do does not depend on it.
  await connection.request(modes.set.method, modes.set.params(wanted)).catch(() => undefined)
}

export function findMode(
  { current = '', ids }: Pick<Modes, 'current' | 'ids'>,
  chatMode: ChatMode,
): string | undefined {
  const first = (...wanted: RegExp[]): string | undefined =>
    wanted.map((pattern) => ids.find((id) => pattern.test(id))).find((id) => id !== undefined)
  if (chatMode === 'Plan') return first(/^plan$/i, /read[-_ ]?only/i, /plan/i)
  const asking = first(/^default$/i, /^ask$/i)
  if (asking) return asking
  return LOOKS.test(current) || NEVER_ASKS.test(current)
    ? first(/^auto$/i, /^(build|code|agent)$/i)
    : undefined
}

const LOOKS = /plan|read[-_ ]?only/i
const NEVER_ASKS = /yolo|bypass|full|dont|never/i

/** Newer agents offer modes among their other settings. */
function readModes(opened: Json, sessionId: string): Modes | undefined {
  const { currentModeId, availableModes } = asObject(opened['modes'])
  const ids = asList(availableModes).flatMap(({ id }) => asText(id) ?? [])
  if (ids.length > 0) {
    const params = (modeId: string): Json => ({ sessionId, modeId })
    return { current: asText(currentModeId), ids, set: { method: 'session/set_mode', params } }
  }
  const setting = asList(opened['configOptions']).find(({ category }) => category === 'mode')
  if (!setting) return undefined
  const params = (value: string): Json => ({ sessionId, configId: setting['id'], value })
  return {
    current: asText(setting['currentValue']),
    ids: asList(setting['options']).flatMap(({ value }) => asText(value) ?? []),
    set: { method: 'session/set_config_option', params },
  }
}
