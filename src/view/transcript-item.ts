import type { EvidenceResult, FinalAnswerStrategy, TallyLine } from '../schema/coordination.ts'
import type { Failure } from '../schema/failure.ts'
import type { RunId, StreamId, TurnId } from '../schema/ids.ts'
import type { WrittenFile } from '../schema/observation.ts'
import type { Pending, PendingAnswer } from '../schema/pending.ts'
import type { Picture } from '../schema/picture.ts'
import type { RunStatus } from '../schema/run-result.ts'
import type { GuardrailKind, Phase, ToolCall, TurnOutcome } from '../schema/turn-event.ts'

/** One thing in a transcript. Every face draws these, each in its own way. */
export type TranscriptItem =
  | UserMessage
  | AgentMessage
  | ToolCallItem
  | PhaseItem
  | ObservationItem
  | GuidanceItem
  | InjectedUpdate
  | Reminder
  | Retry
  | Guardrail
  | AnswerSubmitted
  | VoteCast
  | VoteRejected
  | VotingCompleted
  | OverrideItem
  | Presentation
  | WrittenFiles
  | RunFinished
  | Notice

export interface ItemBase {
  /** Stays the same while the item changes; unique in a chat. */
  id: string
  /** Grows with every change, so that a face redraws only what changed. */
  revision: number
  /** When it began. */
  at: string
  stream: StreamId
  agent_id?: string
}

export interface UserMessage extends ItemBase {
  kind: 'user_message'
  /** Empty when the person only showed something. */
  text: string
  pictures?: readonly Picture[]
}

export interface AgentMessage extends ItemBase {
  kind: 'agent_message'
  message_type: 'Text' | 'Plan' | 'Question'
  /** Data in it is told in words, except in a Plan: its JSON is here for who wants it. */
  text: string
  /** Of a Plan: what was said around the plan itself, which a face draws as a card. */
  words?: string
  reasoning?: string
  /** The plan that is proposed; `ChatView.plan` holds the newest revision. */
  plan?: { plan_id: string; revision: number }
  /** What a question waits for, until `answer` is there. */
  pending?: Pending
  answer?: PendingAnswer
  answered_by?: string
  /** Still being written: the text grows. */
  streaming?: true
}

export type ToolStatus = 'waiting' | 'running' | 'ok' | 'failed' | 'interrupted'

/** A call and, when it is over, its result. */
export interface ToolCallItem extends ItemBase {
  kind: 'tool_call'
  call: ToolCall
  name: string
  /** The input in a few words. */
  summary: string
  status: ToolStatus
  read_only: boolean
  confined?: boolean
  /** What a person is asked before it runs. */
  pending_id?: string
  output?: ClippedText
  /** Changed lines, where the tool says them. */
  diff?: string
  duration_ms?: number
  files?: readonly WrittenFile[]
  /** The turn of a sub-agent or the run that the call is. */
  child?: TurnId | RunId
  subtasks?: readonly SubtaskLine[]
}

export interface SubtaskLine {
  id: string
  task: string
  status: 'waiting' | 'running' | 'skipped' | TurnOutcome
  turn_id?: TurnId
  summary?: string
}

/** The beginning and end of a long text. */
export interface ClippedText {
  text: string
  /** Characters of the whole. */
  length: number
  clipped: boolean
  /** Where the whole is: the `tool.finished` (or `answer.submitted`) of this stream with this call. */
  source: { stream: StreamId; call_id: string }
}

export interface PhaseItem extends ItemBase {
  kind: 'phase'
  phase: Phase
  iteration: number
  detail?: string
}

/** What was seen in one Observing phase. */
export interface ObservationItem extends ItemBase {
  kind: 'observation'
  results: readonly {
    call_id: string
    tool: string
    success: boolean
    duration_ms: number
    summary: string
  }[]
}

/** Words of the person for an agent at work. */
export interface GuidanceItem extends ItemBase {
  kind: 'guidance'
  text: string
  /** The agent has been told. */
  taken: boolean
}

export interface InjectedUpdate extends ItemBase {
  kind: 'injected_update'
  /** Labels of the answers it is about, when the run said so. */
  labels: readonly string[]
  text?: string
}

export interface Reminder extends ItemBase {
  kind: 'reminder'
  count: number
}

/** A request to a model is made again. Only while it happens: it is not stored. */
export interface Retry extends ItemBase {
  kind: 'retry'
  attempt: number
  delay_ms: number
  reason: string
}

export interface Guardrail extends ItemBase {
  kind: 'guardrail'
  guardrail: GuardrailKind
  detail: string
}

export interface AnswerSubmitted extends ItemBase {
  kind: 'answer_submitted'
  label: string
  text: ClippedText
  files: number
  added: number
  removed: number
  evidence: readonly EvidenceResult[]
}

export interface VoteCast extends ItemBase {
  kind: 'vote_cast'
  for: string
  label: string
  reason: string
}

export interface VoteRejected extends ItemBase {
  kind: 'vote_rejected'
  for: string
  reason: string
}

export interface VotingCompleted extends ItemBase {
  kind: 'voting_completed'
  winner: string
  label: string
  tally: readonly TallyLine[]
  margin: number
  tie: boolean
  reason: string
}

/** The person may choose another presenter, or did. */
export interface OverrideItem extends ItemBase {
  kind: 'override'
  state: 'offered' | 'kept' | 'overridden'
  pending?: Extract<Pending, { kind: 'override' }>
  chosen?: string
  label?: string
  by?: string
}

export interface Presentation extends ItemBase {
  kind: 'presentation'
  strategy: FinalAnswerStrategy
}

export interface WrittenFiles extends ItemBase {
  kind: 'written_files'
  files: readonly WrittenFile[]
  /** As the run words it; absent for a single turn. */
  footer?: string
}

export interface RunFinished extends ItemBase {
  kind: 'run_finished'
  run_id: RunId
  status: Exclude<RunStatus, 'pending'>
  failure?: Failure
}

export interface Notice extends ItemBase {
  kind: 'notice'
  tone: 'info' | 'warning' | 'error'
  text: string
  hint?: string
}
