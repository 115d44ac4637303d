import type { ChangeStats, EvidenceResult, TeamMode } from './coordination.ts'
import type { Grant } from './permission.ts'
import type { Question, Severity } from './question.ts'
import type { ToolCall } from './turn-event.ts'

/**
 * Anything that waits for a person. Plain data in the log, so it survives a restart; any face may answer, the first
 * answer wins.
 */
export type Pending = { id: string } & (
  | {
      kind: 'tool_approval'
      /** Exactly what will run: the log holds the bytes, an approval names them by `hash`. */
      call: ToolCall
      hash: string
      reason: string
      severity: Severity
      /** What "always" would grant, as it will be stored; empty when it cannot be granted. */
      always: Grant[]
      /** The agent runs it with a tool of its own and waits for the answer. */
      external?: boolean
    }
  /** `extends`: going on takes up to so many more iterations; words are optional then. */
  | { kind: 'guidance'; question: string; context: string; extends?: number }
  /** `call`: it was asked with a tool, and the answer is the tool's result. */
  | ({ kind: 'question'; call?: ToolCall } & Question)
  /** After the vote, before the presentation. `candidates` in the order of the config. */
  | {
      kind: 'override'
      winner: string
      tie: boolean
      margin: number
      candidates: OverrideCandidate[]
    }
  /** The interactive agent wants to launch a run. */
  | { kind: 'run_approval'; call: ToolCall; hash: string; launch: LaunchCard }
)

export interface OverrideCandidate extends ChangeStats {
  agent: string
  label: string
  votes: number
  /** The answer's beginning. */
  preview: string
  evidence: { name: string; status: EvidenceResult['status'] }[]
}

/** What a person sees of a run before it is launched; all figures are estimates. */
export interface LaunchCard {
  task: string
  context?: string
  agents: string[]
  team_mode: TeamMode
  refinement: boolean
  planning_mode: boolean
  execute_after_planning: boolean
  estimate: { calls: [number, number]; tokens: [number, number]; usd: [number, number] | null }
}

export type PendingAnswer =
  /** `hash` of what the person saw; an answer for other bytes is refused. */
  | { kind: 'tool_approval'; decision: 'once' | 'always' | 'deny'; hash?: string; reason?: string }
  | { kind: 'guidance'; decision: 'continue'; text: string }
  | { kind: 'guidance'; decision: 'stop' }
  | { kind: 'question'; value: string; text?: string }
  | { kind: 'override'; decision: 'continue' }
  | { kind: 'override'; decision: 'present'; agent: string }
  /** `background`: the person goes on talking meanwhile. */
  | { kind: 'run_approval'; decision: 'approve'; hash?: string; background?: boolean }
  /** `edited` is launched instead of what the agent asked for. */
  | { kind: 'run_approval'; decision: 'edit'; edited: { task?: string; context?: string; agents?: string[] } }
  | { kind: 'run_approval'; decision: 'cancel'; reason?: string }
