import type { RunMessageSettings } from '../../schema/command.ts'
import type { LaunchOverrides } from '../../schema/launch.ts'

/** The settings with each limit at most as wide as before. */
export function narrow(settings: RunMessageSettings, overrides: LaunchOverrides): RunMessageSettings {
  const { coordination, budget, timeouts, turn } = settings
  const tokens = least(budget.max_tokens, overrides.max_tokens)
  const usd = least(budget.max_usd, overrides.max_usd)
  return {
    ...settings,
    coordination: {
      ...coordination,
      max_new_answers_per_agent:
        least(coordination.max_new_answers_per_agent, overrides.max_new_answers_per_agent) ?? null,
      max_new_answers_global:
        least(coordination.max_new_answers_global, overrides.max_new_answers_global) ?? null,
      skip_voting: coordination.skip_voting || overrides.skip_voting === true,
      disable_injection: coordination.disable_injection || overrides.disable_injection === true,
      defer_voting_until_all_answered:
        coordination.defer_voting_until_all_answered || overrides.defer_voting_until_all_answered === true,
    },
    budget: {
      ...(tokens !== undefined && { max_tokens: tokens }),
      ...(usd !== undefined && { max_usd: usd }),
    },
    timeouts: {
      ...timeouts,
      run_ms: Math.min(timeouts.run_ms, (overrides.timeout_seconds ?? Infinity) * 1000),
    },
    turn: {
      ...turn,
      max_iterations: Math.min(turn.max_iterations, overrides.max_iterations ?? Infinity),
    },
  }
}

const least = (...limits: (number | null | undefined)[]): number | undefined => {
  const known = limits.filter((limit) => limit !== null && limit !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
