import type { ChatConfig, ChatMode } from '../../schema/chat-config.ts'
import type { Compaction, CompactionSettings } from '../../schema/compaction.ts'
import type { ChatId, RunId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Grant } from '../../schema/permission.ts'
import type { Picture } from '../../schema/picture.ts'
import type { Plan, StepReview } from '../../schema/plan.ts'
import type { RunSettings } from '../../schema/run-event.ts'
import type { FollowUp } from '../../schema/session-event.ts'
import type { TeamMode } from '../../schema/coordination.ts'
import type { StepProgress, TurnOutcome, TurnSettings } from '../../schema/turn-event.ts'
import type { Usage } from '../../schema/usage.ts'
import type { CompactionInput, Measured } from './compaction.ts'

export type SessionInput =
  | CompactionInput
  | { type: 'create'; chat_id: ChatId; folder: string; title: string; config: ChatConfig; fork?: Fork }
  | { type: 'send_message'; text: string; pictures?: Picture[]; turn: NewTurn; measured?: MeasuredChat }
  | {
      type: 'start_run'
      text: string
      pictures?: Picture[]
      run_id: RunId
      settings: RunSettings
      measured?: MeasuredChat
    }
  /** An agent launches a run that nobody waits for. */
  | { type: 'launch_run'; run_id: RunId; prompt: string; settings: RunSettings; follow_up?: FollowUp }
  | {
      type: 'run_ended'
      run_id: RunId
      agent_id?: string
      outcome: TurnOutcome
      answer: string
      usage: Usage
    }
  | { type: 'set_team'; team_mode?: TeamMode; refinement?: boolean; active_agent?: string }
  | { type: 'set_agent_mode'; agent_mode: ChatMode }
  | {
      type: 'execute_plan'
      plan_id: string
      revision: number
      additions?: string
      reviews: StepReview[]
      by: string
      turn: NewTurn
      measured?: MeasuredChat
    }
  | { type: 'reject_plan'; plan_id: string; revision: number }
  /** A plan from its folder, for a chat that did not make it. */
  | { type: 'import_plan'; plan_id: string; revision: number; plan: Plan }
  | { type: 'plan_stored'; plan_id: string; revision: number; status: string }
  | { type: 'note_pending'; turn_id: TurnId | RunId; agent_id?: string; pending: Pending }
  | {
      type: 'turn_ended'
      turn_id: TurnId
      agent_id: string
      outcome: TurnOutcome
      answer: string
      grants: readonly Grant[]
      steps: readonly StepProgress[]
    }

/** What the rule about summarising needs to know. Absent: nothing is summarised by itself. */
export type MeasuredChat = Measured & { settings: CompactionSettings }

export interface NewTurn {
  turn_id: TurnId
  agent_id: string
  settings: Omit<TurnSettings, 'mode' | 'grants' | 'plan'>
}

export interface Fork {
  chat_id: ChatId
  turns: (TurnId | RunId)[]
  messages: Message[]
  compaction?: Compaction
}
