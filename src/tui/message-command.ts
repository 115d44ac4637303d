import type { Roster } from '../client/client.ts'
import type { Command } from '../schema/command.ts'
import type { ChatId } from '../schema/ids.ts'
import type { NamedPicture } from '../schema/picture.ts'
import type { ModeState } from '../view/mode-bar.ts'

/** How a message is sent in these modes: to the agent that answers, or to a team. */
export function messageCommand(
  roster: Roster,
  mode: ModeState,
  chat_id: ChatId,
  message: { text: string; pictures: NamedPicture[] },
): Command {
  const { text } = message
  const shown = message.pictures.length > 0 && { pictures: message.pictures }
  const first = roster.agents[0]?.id ?? 'agent'
  const agent_id = (mode.interactive_mode && roster.interactive_agent) || (mode.active_agent ?? first)
  const team = mode.agent_mode === 'multi' && roster.agents.length > 1
  // A single agent that does not refine is an ordinary turn; so is talking to the interactive agent.
  const runs = mode.interactive_mode || (!team && !mode.refinement) ? undefined : roster.runs
  if (!runs) return { type: 'send_message', chat_id, text, ...shown, agent_id, settings: roster.settings }
  const settings = runs[`${team ? 'multi' : 'single'}_${mode.refinement ? 'refine' : 'quick'}`]
  const agents = team ? settings.agents : settings.agents.filter(({ id }) => id === agent_id)
  return { type: 'start_run', chat_id, text, ...shown, settings: { ...settings, agents } }
}
