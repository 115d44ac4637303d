import type { LaunchRequest, LaunchSettings } from '../../schema/launch.ts'
import type { LaunchCard } from '../../schema/pending.ts'

/** What one call takes, in tokens: a first request with a few files read, up to a long conversation. */
const TOKENS_PER_CALL: [number, number] = [4_000, 12_000]
/** Calls of one agent until it has an answer. */
const CALLS_PER_ANSWER: [number, number] = [2, 8]

/** What a person is shown before a run. The figures are estimates: agents × rounds × tokens. */
export function launchCard(request: LaunchRequest, settings: LaunchSettings): LaunchCard {
  const { task, context, agents, agent_mode, refinement, planning_mode, execute_after_planning } = request
  const calls = estimateCalls(request, settings)
  const tokens: [number, number] = [calls[0] * TOKENS_PER_CALL[0], calls[1] * TOKENS_PER_CALL[1]]
  const prices = settings.agents
    .filter(({ id }) => agents.includes(id))
    .map(({ usd_per_million }) => usd_per_million)
  const known = prices.filter((price) => price !== undefined)
  const usd: [number, number] | null =
    known.length === prices.length && known.length > 0
      ? [(tokens[0] * Math.min(...known)) / 1e6, (tokens[1] * Math.max(...known)) / 1e6]
      : null
  return {
    task,
    ...(context && { context }),
    agents,
    team_mode: agent_mode,
    refinement,
    planning_mode,
    execute_after_planning,
    estimate: { calls, tokens, usd },
  }
}

function estimateCalls(
  { agents, refinement, agent_mode, execute_after_planning, coordination_overrides }: LaunchRequest,
  { max_new_answers_per_agent }: LaunchSettings,
): [number, number] {
  const team = agents.length
  const answers = refinement
    ? Math.min(3, coordination_overrides.max_new_answers_per_agent ?? max_new_answers_per_agent ?? 3)
    : 1
  const votes = refinement || agent_mode === 'multi' ? team : 0
  const presents = refinement || agent_mode === 'multi' ? 1 : 0
  const once: [number, number] = [
    team * CALLS_PER_ANSWER[0] + votes + presents,
    team * CALLS_PER_ANSWER[1] * answers + votes * answers + presents * CALLS_PER_ANSWER[1],
  ]
  return execute_after_planning ? [once[0] * 2, once[1] * 2] : once
}
