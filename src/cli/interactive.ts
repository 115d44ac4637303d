import { priceOf } from '../adapters/models/prices/cost.ts'
import type { EngineParts } from '../engine/parts.ts'
import type { AgentConfig } from '../schema/config.ts'
import type { LaunchSettings } from '../schema/launch.ts'
import type { Roster } from './agents.ts'
import type { Args } from './args.ts'
import { chosenAgents, runSettings } from './team.ts'

/** What the engine must know to have the person talk to the interactive agent. Nothing where the config has none. */
export function interactiveParts(
  args: Args,
  roster: Roster,
): Pick<EngineParts, 'interactive' | 'compaction' | 'launch'> {
  const { interactive } = roster
  if (!interactive?.enabled) return {}
  const agents = chosenAgents(args, roster)
  const { require_approval, append_system_prompt, context_compaction } = interactive
  const team = agents.map((agent) => ({
    id: agent.id,
    model: modelOf(agent),
    ...(agent.description && { description: agent.description }),
  }))
  return {
    interactive: {
      orchestrator: { agents: team, require_approval },
      launch: launchSettings(roster, agents, require_approval),
      ...(append_system_prompt && { append_system_prompt }),
    },
    compaction: context_compaction,
    launch: launcher(roster, agents),
  }
}

const modelOf = ({ backend: { type, model } }: AgentConfig): string => (model ? `${type}/${model}` : type)

/** What a launch is judged by. */
export const launchSettings = (
  { orchestrator }: Roster,
  agents: readonly AgentConfig[],
  require_approval: boolean,
): LaunchSettings => ({
  require_approval,
  agents: agents.map((agent) => ({ id: agent.id, ...usualPrice(modelOf(agent)) })),
  max_new_answers_per_agent: orchestrator ? orchestrator.max_new_answers_per_agent : 3,
})

/** What a run is started with that an agent asked for. */
export const launcher =
  (roster: Roster, agents: readonly AgentConfig[]): NonNullable<EngineParts['launch']> =>
  ({ agents: ids, agent_mode, refinement }, { turn, planning, context_paths }) =>
    runSettings(
      roster,
      { agents: agents.filter(({ id }) => ids.includes(id)), team_mode: agent_mode, refinement },
      { turn, context_paths, plan: planning },
    )

/** Mostly input, some of it cached: the price of input is near enough for an estimate. */
function usualPrice(model: string): { usd_per_million?: number } {
  const price = priceOf(model)
  return price ? { usd_per_million: price.input } : {}
}
