import type { ChatConfig, ChatMode } from '../../schema/chat-config.ts'
import type { ChatId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Grant } from '../../schema/permission.ts'
import type { Plan, StepReview } from '../../schema/plan.ts'
import type { StepProgress, TurnOutcome, TurnSettings } from '../../schema/turn-event.ts'

export type SessionInput =
  | { type: 'create'; chat_id: ChatId; folder: string; title: string; config: ChatConfig; fork?: Fork }
  | { type: 'send_message'; text: string; turn: NewTurn }
  | { type: 'set_agent_mode'; agent_mode: ChatMode }
  | {
      type: 'execute_plan'
      plan_id: string
      revision: number
      additions?: string
      reviews: StepReview[]
      by: string
      turn: NewTurn
    }
  | { type: 'reject_plan'; plan_id: string; revision: number }
  /** A plan from its folder, for a chat that did not make it. */
  | { type: 'import_plan'; plan_id: string; revision: number; plan: Plan }
  | { type: 'plan_stored'; plan_id: string; revision: number; status: string }
  | { type: 'note_pending'; turn_id: TurnId; agent_id: string; pending: Pending }
  | {
      type: 'turn_ended'
      turn_id: TurnId
      agent_id: string
      outcome: TurnOutcome
      answer: string
      grants: readonly Grant[]
      steps: readonly StepProgress[]
    }

export interface NewTurn {
  turn_id: TurnId
  agent_id: string
  settings: Omit<TurnSettings, 'mode' | 'grants' | 'plan'>
}

export interface Fork {
  chat_id: ChatId
  turns: TurnId[]
  messages: Message[]
}
