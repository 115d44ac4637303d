import type { Failure } from '../../schema/failure.ts'
import type { RunId } from '../../schema/ids.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { Reply, ToolCall, TurnEvent, TurnOutcome } from '../../schema/turn-event.ts'
import type { Usage } from '../../schema/usage.ts'

/** What can happen to a turn: a person's command, or the result of an effect. */
export type TurnInput =
  | { type: 'start'; started: Extract<TurnEvent, { type: 'turn.started' }> }
  | { type: 'model_replied'; reply: Reply }
  | { type: 'model_failed'; failure: Failure }
  /** The next request would not fit into the model's context. */
  | { type: 'context_full'; tokens: number; window: number }
  | { type: 'summarized'; summary: string; usage: Usage }
  | {
      type: 'tool_finished'
      call_id: string
      success: boolean
      output: string
      duration_ms: number
      files?: WrittenFile[]
      usage?: Usage
    }
  | {
      type: 'subtask_finished'
      call_id: string
      subtask_id: string
      outcome: TurnOutcome
      summary: string
      files?: WrittenFile[]
      usage?: Usage
      duration_ms: number
    }
  /** An agent with tools of its own asks before it uses one, and says what came of it. */
  | { type: 'external_asked'; call: ToolCall; read_only: boolean }
  | {
      type: 'external_finished'
      call: ToolCall
      read_only: boolean
      success: boolean
      output: string
      duration_ms: number
    }
  /** An open call that launched a run goes on with another one. */
  | { type: 'run_launched'; call_id: string; run_id: RunId }
  | { type: 'give_guidance'; text: string }
  /** Something happened in the team. The same `id` again changes nothing. */
  | { type: 'inform'; id: string; text: string }
  | { type: 'answer_pending'; pending_id: string; answer: PendingAnswer; by: string }
  | { type: 'interrupt'; limit?: string }
  /** The log was opened again after the process that wrote it ended. */
  | { type: 'recover' }
  /** An effect of ours threw. */
  | { type: 'fail'; failure: Failure }
