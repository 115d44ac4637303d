import { ClientError, type Client, type Roster } from '../../client/client.ts'
import type { ChatConfig } from '../../schema/chat-config.ts'
import type { CommandResult } from '../../schema/command.ts'
import type { ChatId } from '../../schema/ids.ts'
import type { NamedPicture } from '../../schema/picture.ts'
import type { StepReview } from '../../schema/plan.ts'
import type { ModeState } from '../../view/mode-bar.ts'
import type { ChatPlan } from '../../core/session/state.ts'

/** A message, for one agent or for the team, as the modes say. */
export function sendMessage(
  client: Client,
  roster: Roster,
  modes: ModeState,
  chat_id: ChatId,
  text: string,
  pictures: readonly NamedPicture[] = [],
): Promise<CommandResult> {
  const said = { text, ...(pictures.length > 0 && { pictures: pictures.map(named) }) }
  const { agent_mode, refinement, interactive_mode } = modes
  const run = roster.runs?.[`${agent_mode}_${refinement ? 'refine' : 'quick'}`]
  const isRun = run !== undefined && !interactive_mode && (agent_mode === 'multi' || refinement)
  if (isRun) {
    const agents =
      agent_mode === 'multi' ? run.agents : run.agents.filter(({ id }) => id === answering(roster, modes))
    return client.execute({ type: 'start_run', chat_id, ...said, settings: { ...run, agents } })
  }
  return client.execute({
    type: 'send_message',
    chat_id,
    ...said,
    agent_id: answering(roster, modes),
    settings: roster.settings,
  })
}

const named = ({ id, name }: NamedPicture): NamedPicture => ({ id, ...(name && { name }) })

export function executePlan(
  client: Client,
  roster: Roster,
  modes: ModeState,
  chat_id: ChatId,
  { plan_id, revision }: ChatPlan,
  more: { additions?: string; reviews: StepReview[] },
): Promise<CommandResult> {
  const { settings } = roster
  const agent_id = answering(roster, modes)
  return client.execute({
    type: 'execute_plan',
    chat_id,
    plan_id,
    revision,
    ...more,
    by: 'web',
    agent_id,
    settings,
  })
}

/** A new chat with what was chosen for it before its first message. */
export async function createChat(
  client: Client,
  folder: string,
  title: string,
  config: ChatConfig,
): Promise<ChatId> {
  const chat_id = await client.newChatId()
  const { agent_mode, ...team } = config
  const first = title.split('\n', 1)[0] ?? ''
  const result = await client.execute({
    type: 'create_chat',
    chat_id,
    folder,
    title: first.slice(0, 80),
    agent_mode,
  })
  if (!result.accepted) throw new ClientError(409, result.reason)
  if (Object.keys(team).length > 0) await client.execute({ type: 'set_team', chat_id, ...team })
  return chat_id
}

function answering(
  { agents, interactive_agent }: Roster,
  { active_agent, interactive_mode }: ModeState,
): string {
  if (interactive_mode && interactive_agent) return interactive_agent
  return active_agent ?? agents[0]?.id ?? 'agent'
}
