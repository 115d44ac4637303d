import type { Access } from './access.ts'
import type { ChatMode, PermissionMode } from './chat-config.ts'
import type { Failure } from './failure.ts'
import type { ChatId, RunId, TurnId } from './ids.ts'
import type { LaunchSettings } from './launch.ts'
import type { Observation, WrittenFile } from './observation.ts'
import type { Pending, PendingAnswer } from './pending.ts'
import type { Grant, PermissionRule } from './permission.ts'
import type { Picture } from './picture.ts'
import type { ApprovedPlan, StepStatus } from './plan.ts'
import type { Reach } from './reach.ts'
import type { Usage } from './usage.ts'

/** The PAOR states, and no others: a pause is an open `Pending`, not a state. */
export type Phase = 'Idle' | 'Planning' | 'Acting' | 'Observing' | 'Reflecting' | 'Complete' | 'Failed'

export type TurnOutcome = 'complete' | 'failed' | 'limit' | 'cancelled'

/** What the core must know of a tool to decide about its calls. */
export interface ToolTraits {
  name: string
  read_only: boolean
  /** What a write tool changes: files through the gateway, or anything at all. */
  changes?: 'files' | 'anything'
  /** Deletes something: asks whatever the model says. */
  destructive?: boolean
  /** Can run confined: no write, no network, no secrets, enforced by the kernel. Set only where a sandbox works. */
  confinable?: boolean
  /** The call is a turn of its own with its own log, so a crash resumes it instead of marking it interrupted. */
  nested?: boolean
  /** A call of it that succeeds ends the turn, and must be the only such call of a reply. */
  ends_turn?: boolean
  /** Launches a run; a person approves it as such. */
  launches?: boolean
}

export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
  /** The model's arguments could not be read; the call fails without being run. */
  invalid?: string
  /** What it would touch. */
  access?: Access[]
}

export interface Reply {
  text: string
  reasoning?: string
  calls: ToolCall[]
  usage: Usage
  /** What the provider wants back with this reply in later requests (signatures, item ids). Opaque to us. */
  metadata?: unknown
}

export interface TurnSettings {
  mode: ChatMode
  permission: PermissionMode
  max_iterations: number
  /** At that limit: end with a report (the default), or ask whether to go on for as many again. */
  on_limit?: 'stop' | 'ask'
  /** `changed`: an explicit Reflect call after a turn that changed something; `always`: after every turn. */
  reflect: 'changed' | 'always' | 'never'
  tools: ToolTraits[]
  max_tokens?: number
  max_usd?: number
  /** From the config, then what the person granted in this chat. */
  rules?: PermissionRule[]
  grants?: Grant[]
  /** The plan this turn carries out. */
  plan?: ApprovedPlan
  /** The chat's folder, writable, if absent. Stored, so that a turn that is gone on with has the same rights. */
  reach?: Reach
  /** The run this turn is part of. */
  team?: TeamPart
  /** The agent may launch runs of this team. */
  launch?: LaunchSettings
}

/** What a turn must know of the run it is part of. Its candidates are in its prompt. */
export interface TeamPart {
  run_id: RunId
  purpose: 'answer' | 'vote' | 'present'
  /** Its last words count, because it cannot call our tools. */
  speaks: 'tools' | 'text'
  /** Earlier turns of this agent in this run: the conversation goes on from them. */
  history: TurnId[]
  sees_chat: boolean
  /** Whom it may put questions to. */
  broadcast?: 'agents' | 'human'
}

/** How far a step of the plan has come. */
export interface StepProgress {
  step_number: number
  status: StepStatus
  note?: string
}

export interface SubtaskSpec {
  id: string
  task: string
  depends_on: string[]
}

export type ReflectionCause = 'finished' | 'guardrail'

export type Verdict = 'continue' | 'complete' | 'needs_person' | 'failed'

export type GuardrailKind = 'same_call' | 'ping_pong' | 'no_progress' | 'repeated_failure'

export type TurnEvent =
  | {
      type: 'turn.started'
      turn_id: TurnId
      chat_id: ChatId
      agent_id: string
      prompt: string
      pictures?: readonly Picture[]
      settings: TurnSettings
      /** Set for the turn of a sub-agent. */
      parent?: { turn_id: TurnId; call_id: string }
    }
  | { type: 'phase.entered'; phase: Phase; iteration: number; guidance?: string[] }
  | { type: 'model.replied'; purpose: 'plan' | 'reflect'; reply: Reply }
  /** Stored before the tool runs. `child` is the turn that a nested tool runs as. */
  /** `confined`: it runs where it can change nothing. */
  | {
      type: 'tool.called'
      call: ToolCall
      read_only: boolean
      confined?: boolean
      child?: TurnId | RunId
      /** A run that the turn does not wait for. */
      background?: boolean
    }
  | {
      type: 'tool.finished'
      call_id: string
      success: boolean
      output: string
      duration_ms: number
      files?: WrittenFile[]
      /** What a sub-agent used. */
      usage?: Usage
      /** `interrupted`: it may have had effects; `not_run`: it had none. */
      cut?: 'interrupted' | 'not_run'
    }
  /** A call that launched a run went on with another one: what the first planned is carried out. */
  | { type: 'run.launched'; call_id: string; run_id: RunId }
  /** An agent with tools of its own was allowed to use one, or not; and what it did. */
  | { type: 'external.authorized'; call: ToolCall; allowed: boolean; reason: string }
  | {
      type: 'external.finished'
      call: ToolCall
      read_only: boolean
      success: boolean
      output: string
      duration_ms: number
    }
  | { type: 'observation.recorded'; observation: Observation }
  | { type: 'subtasks.planned'; call_id: string; subtasks: SubtaskSpec[] }
  | { type: 'subtask.started'; call_id: string; subtask_id: string; turn_id: TurnId }
  | {
      type: 'subtask.finished'
      call_id: string
      subtask_id: string
      outcome: TurnOutcome | 'skipped'
      summary: string
      files?: WrittenFile[]
      usage?: Usage
      duration_ms?: number
    }
  /** Long results before this entry are shown to the model shortened from now on. */
  | { type: 'context.trimmed'; before: number }
  /** What came before this entry, in this turn and before it, is to be summarised. */
  | { type: 'compaction.requested'; before: number }
  /** The model sees the summary instead of it; the log keeps everything. */
  | { type: 'context.compacted'; before: number; summary: string; usage: Usage }
  | { type: 'limit.extended'; iterations: number }
  | { type: 'guardrail.tripped'; guardrail: GuardrailKind; detail: string }
  | { type: 'reflection.requested'; cause: ReflectionCause; detail: string }
  | { type: 'reflection.recorded'; verdict: Verdict; reason: string; by: 'rule' | 'model' }
  | { type: 'guidance.given'; text: string }
  /** Peers answered meanwhile. Taken up like guidance, at the next Planning. */
  | { type: 'update.received'; id: string; text: string }
  | { type: 'pending.opened'; pending: Pending }
  | { type: 'pending.answered'; pending_id: string; answer: PendingAnswer; by: string }
  | { type: 'plan.step_changed'; step_number: number; status: StepStatus; note?: string }
  | { type: 'permission.granted'; grants: Grant[] }
  | { type: 'turn.finished'; outcome: TurnOutcome; answer: string; failure?: Failure }
