import type { AnswerSnapshot, EvidenceResult } from '../../schema/coordination.ts'
import type { Failure } from '../../schema/failure.ts'
import type { TurnId } from '../../schema/ids.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { ApplyConflict, RunEvent } from '../../schema/run-event.ts'
import type { TurnOutcome } from '../../schema/turn-event.ts'
import type { Usage } from '../../schema/usage.ts'

/** What can happen to a run: a person's command, an agent's act, or the result of an effect. `now`: since the epoch. */
export type RunInput =
  | { type: 'start'; started: Extract<RunEvent, { type: 'run.started' }> }
  | {
      type: 'submit_answer'
      agent_id: string
      turn_id: TurnId
      call_id: string
      text: string
      snapshot: AnswerSnapshot
      now: number
    }
  /** `choice`: an id of the ballot this turn was given. */
  | {
      type: 'vote'
      agent_id: string
      turn_id: TurnId
      call_id: string
      choice: string
      reason: string
      now: number
    }
  | {
      type: 'turn_ended'
      agent_id: string
      turn_id: TurnId
      outcome: TurnOutcome
      answer: string
      usage: Usage
      worked_ms: number
      phases: { states: string[]; iterations: number }
      failure?: Failure
      now: number
    }
  /** An agent asks its peers, and has their replies. */
  | { type: 'ask'; agent_id: string; turn_id: TurnId; call_id: string; question: string; now: number }
  | { type: 'asked'; agent_id: string; call_id: string; now: number }
  | { type: 'evidence'; label: string; results: EvidenceResult[]; now: number }
  /** `delivered`: false when the turn was over before it could be told. */
  | { type: 'told'; agent_id: string; turn_id: TurnId; labels: string[]; delivered: boolean; now: number }
  | { type: 'timer'; name: string; now: number }
  | { type: 'answer_pending'; pending_id: string; answer: PendingAnswer; by: string; now: number }
  | { type: 'interrupt'; limit?: string; now: number }
  | { type: 'baseline_taken'; baseline: string; now: number }
  | { type: 'applied'; files: WrittenFile[]; conflicts: ApplyConflict[]; now: number }
  | { type: 'writes_found'; files: WrittenFile[]; footer: string; now: number }
  | { type: 'log_stored'; directory: string; now: number }
  | { type: 'fail'; failure: Failure; now: number }
