import type { ChatId } from './ids.ts'
import type { WrittenFile } from './observation.ts'
import type { Plan } from './plan.ts'
import type { Phase } from './turn-event.ts'
import type { Usage } from './usage.ts'

export type RunStatus = 'complete' | 'failed' | 'limit' | 'cancelled' | 'pending'

export interface CoordinationSummary {
  agents: string[]
  answers: { agent: string; label: string }[]
  votes: { voter: string; for: string; reason: string }[]
  winner: string | null
  presenter: string | null
  overridden: boolean
  rounds: number
  strategy: 'winner_reuse' | 'winner_present' | 'synthesize' | null
}

/** The object a headless run ends with. */
export interface RunResult {
  type: 'result'
  run_id: string
  chat_id: ChatId
  status: RunStatus
  final_answer: string
  workspace_path: string
  coordination_summary: CoordinationSummary
  workflow: { states: Phase[]; iterations: number }
  files_written: WrittenFile[]
  /** Where a run's log is, relative to its folder. */
  log_directory?: string
  /** The plan that a planning run ended with, if it did. */
  plan?: { plan_id: string; revision: number; directory: string; plan: Plan }
  /** `cost_usd` is null when a price is unknown: unknown is not free. */
  usage: Omit<Usage, 'cost_usd'> & { cost_usd: number | null }
  /** Why, when `status` is not `complete`. */
  error?: string
}
