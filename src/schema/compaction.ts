import type { ChatMode } from './chat-config.ts'
import type { RunId, TurnId } from './ids.ts'
import type { Plan, StepReview } from './plan.ts'
import type { StepProgress } from './turn-event.ts'
import type { Usage } from './usage.ts'

/** When the earlier part of a chat is summarised. */
export interface CompactionSettings {
  enabled: boolean
  threshold_tokens: number
  /** How many of the last exchanges stay word for word. */
  preserve_recent: number
}

/** What is to be summarised. An exchange is a turn or run with what led to it. */
export interface CompactionOrder {
  /** Whose model does it. */
  agent_id: string
  /** The last exchange that is summarised, and how many there are up to it. */
  through: TurnId | RunId
  exchanges: number
  tokens_before: number
  /** Absent: a person asked for it. */
  threshold_tokens?: number
}

/** Models see the summary and what was kept instead of the exchanges; the log keeps everything. Tokens are estimates. */
export interface Compaction extends CompactionOrder {
  summary: string
  kept: KeptFacts
  tokens_after: number
  usage: Usage
}

/** What must never be lost: taken from the state of the chat, not from what a model made of it. */
export interface KeptFacts {
  agent_mode: ChatMode
  plan?: KeptPlan
  pendings: { id: string; text: string }[]
  runs: RunReference[]
}

export interface KeptPlan {
  plan_id: string
  revision: number
  status: string
  directory: string
  plan: Plan
  steps: StepProgress[]
  additions?: string
  reviews?: StepReview[]
}

/** A run whose result was part of the conversation. */
export interface RunReference {
  run_id: RunId
  line: string
  /** From the chat's folder. */
  log: string
}
