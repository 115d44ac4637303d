import { ClientError, type Roster } from '../client/client.ts'
import type { WireCommand, WireSettings } from '../client/wire.ts'
import type { PermissionMode } from '../schema/chat-config.ts'
import type { Command, MessageSettings } from '../schema/command.ts'

/** The command as the engine takes it: what a client may not choose is the server's own. */
export function settleCommand(command: WireCommand, roster: Roster): Command {
  switch (command.type) {
    case 'send_message':
    case 'execute_plan': {
      mustKnow(roster, command.agent_id)
      return { ...command, settings: narrow(roster.settings, command.settings ?? {}) }
    }
    case 'start_run': {
      const { team_mode, refinement, agents, ...rest } = command
      for (const agent of agents ?? []) mustKnow(roster, agent)
      const settings = roster.runs?.[`${team_mode}_${refinement ? 'refine' : 'quick'}`]
      if (!settings) throw new ClientError(400, 'this server has no teams')
      const usual = team_mode === 'single' ? settings.agents.slice(0, 1) : settings.agents
      const chosen = agents ? settings.agents.filter(({ id }) => agents.includes(id)) : usual
      return { ...rest, settings: { ...settings, agents: chosen } }
    }
    case 'compact_chat':
      mustKnow(roster, command.agent_id)
      return command
    case 'create_chat':
      if (command.folder !== roster.folder)
        throw new ClientError(
          403,
          `this server works in ${roster.folder}; start another one for another folder`,
        )
      return command
    default:
      return command
  }
}

function mustKnow({ agents, interactive_agent }: Roster, id: string): void {
  if (id !== interactive_agent && !agents.some((agent) => agent.id === id)) {
    throw new ClientError(
      400,
      `there is no agent ${JSON.stringify(id)}; known: ${agents.map((agent) => agent.id).join(', ')}`,
    )
  }
}

const widths: readonly PermissionMode[] = ['deny', 'ask', 'auto-edit', 'auto']

/** The narrower of both, each. */
function narrow(own: MessageSettings, wanted: WireSettings): MessageSettings {
  const permission = wanted.permission ?? own.permission
  return {
    ...own,
    permission: widths.indexOf(permission) < widths.indexOf(own.permission) ? permission : own.permission,
    max_iterations: Math.min(own.max_iterations, wanted.max_iterations ?? own.max_iterations),
    reflect: wanted.reflect ?? own.reflect,
    ...(wanted.on_limit && { on_limit: wanted.on_limit }),
    ...least('max_tokens', own, wanted),
    ...least('max_usd', own, wanted),
  }
}

function least(key: 'max_tokens' | 'max_usd', own: WireSettings, wanted: WireSettings): WireSettings {
  const given = [own[key], wanted[key]].filter((limit) => limit !== undefined)
  return given.length > 0 ? { [key]: Math.min(...given) } : {}
}
