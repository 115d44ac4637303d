import type { Usage } from './usage.ts'

/** Wire name `agent_mode` in `launch_run` and the mode bar. */
export type TeamMode = 'single' | 'multi'

export const strategies = ['winner_reuse', 'winner_present', 'synthesize'] as const
export type FinalAnswerStrategy = (typeof strategies)[number]

/** How a team comes to its answer. What modes and config lead to is worked out in `core/modes/overrides.ts`. */
export interface Coordination {
  max_new_answers_per_agent: number | null
  max_new_answers_global: number | null
  /** How many answers an agent may be ahead of the one with the fewest. */
  fairness_lead: number | null
  answer_novelty_requirement: 'lenient' | 'balanced' | 'strict'
  /** How good an answer must be before agents choose it instead of improving on it. */
  voting_sensitivity: 'lenient' | 'balanced' | 'strict'
  /** No vote tool, no word of votes: the first agent's answer goes on. */
  skip_voting: boolean
  /** Agents learn nothing of each other before they vote, and never answer again after that. */
  disable_injection: boolean
  defer_voting_until_all_answered: boolean
  final_answer_strategy: FinalAnswerStrategy
  /** A presentation is one more turn of the presenter; without it the winner's answer is the final one. */
  presentation: boolean
  /** The one agent works in the person's folder from the start. */
  write_during_coordination: boolean
  max_reminders: number
  /** Whom agents may put questions to with `ask_others`; absent: nobody. */
  broadcast?: 'agents' | 'human'
}

export interface RunAgent {
  id: string
  /** `text`: it has tools of its own and not ours, so its last words are its answer or its vote. */
  speaks: 'tools' | 'text'
  max_tokens?: number
  max_usd?: number
}

/** A command that is run on every candidate. */
export interface EvidenceCommand {
  name: string
  command: string
  timeout_seconds: number
}

export interface EvidenceResult {
  name: string
  /** `unavailable`: it could not be run at all, which says nothing about the candidate. */
  status: 'passed' | 'failed' | 'timeout' | 'unavailable'
  duration_ms: number
  /** The end of what it printed. */
  output: string
}

export interface ChangeStats {
  files: number
  added: number
  removed: number
}

/** What an agent left in its workspace when it answered. */
export interface AnswerSnapshot extends ChangeStats {
  /** What the workspaces call it. */
  id: string
  /** A folder that never changes again; null when nobody can work in a copy (a planning run). */
  path: string | null
  /** The files that are different, those a rule asks about first, then deletions; at most 200. */
  changed: { path: string; change: 'new' | 'modified' | 'deleted' }[]
}

/** One line of what a voter sees. */
export interface BallotLine {
  /** What the voter calls it: says nothing about whose it is. */
  id: string
  label: string
}

export interface TallyLine {
  agent: string
  votes: number
}

export interface AgentEffort {
  usage: Usage
  /** Milliseconds at work. */
  worked_ms: number
}
