import { isTurnId } from '../schema/ids.ts'
import { dirname, join } from 'node:path'
import { toArray } from '../core/list.ts'
import type { Agent, EngineParts } from '../engine/parts.ts'
import type { Args } from './args.ts'
import { findJournal } from './places.ts'

export const recordingsFolder = (args: Args): string => join(dirname(findJournal(args)), 'recordings')

/** Agents whose every request is written down, for `conclave replay`. */
export async function recordAgents(
  folder: string,
  load: (id: string) => Promise<Agent>,
): Promise<EngineParts['agent']> {
  const { recorded } = await import('../adapters/models/record/record.ts')
  return async (id, { turn_id, chat, agent_id, prompt, settings, parent }) => {
    const agent = await load(id)
    const model = recorded(agent.model, folder, {
      at: new Date().toISOString(),
      turn_id,
      chat_id: chat.chat_id,
      agent_id,
      ...(agent.system_message !== undefined && { system_message: agent.system_message }),
      folder: chat.folder,
      prompt,
      settings,
      before: toArray(chat.turns).filter(isTurnId),
      ...(parent && { parent }),
    })
    return { ...agent, model }
  }
}
