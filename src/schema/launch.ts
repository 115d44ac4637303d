import type { TeamMode } from './coordination.ts'

/** What an agent asks for with `launch_run`, with the defaults filled in. */
export interface LaunchRequest {
  task: string
  context?: string
  agent_mode: TeamMode
  /** Ids; those of the config when the agent named none. */
  agents: string[]
  refinement: boolean
  planning_mode: boolean
  execute_after_planning: boolean
  coordination_overrides: LaunchOverrides
}

/** Only what narrows a run. A child's rights are a subset of its parent's. */
export interface LaunchOverrides {
  max_new_answers_per_agent?: number
  max_new_answers_global?: number
  max_iterations?: number
  max_tokens?: number
  max_usd?: number
  timeout_seconds?: number
  skip_voting?: true
  disable_injection?: true
  defer_voting_until_all_answered?: true
}

/** What a turn must know to judge a launch. */
export interface LaunchSettings {
  require_approval: boolean
  /** The team; the price of a million tokens where it is known. */
  agents: { id: string; usd_per_million?: number }[]
  max_new_answers_per_agent: number | null
}
