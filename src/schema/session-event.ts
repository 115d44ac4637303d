import type { ChatConfig } from './chat-config.ts'
import type { ChatId, TurnId } from './ids.ts'
import type { Grant } from './permission.ts'
import type { Message } from './message.ts'
import type { Plan, PlanChange, StepReview } from './plan.ts'
import type { StepProgress, TurnOutcome, TurnSettings } from './turn-event.ts'

export type SessionEvent =
  | {
      type: 'chat.created'
      chat_id: ChatId
      title: string
      folder: string
      config: ChatConfig
      /** A fork starts with the finished turns of the chat it came from. */
      forked_from?: { chat_id: ChatId; turns: TurnId[] }
    }
  | { type: 'chat_config.changed'; config: ChatConfig }
  | { type: 'message.added'; message: Message }
  | { type: 'turn.opened'; turn_id: TurnId; agent_id: string; prompt: string; settings: TurnSettings }
  /** `changes`: what is different from the revision before. */
  | {
      type: 'plan.proposed'
      plan_id: string
      revision: number
      plan: Plan
      directory: string
      changes?: PlanChange[]
    }
  | {
      type: 'plan.approved'
      plan_id: string
      revision: number
      additions?: string
      reviews: StepReview[]
      by: string
    }
  | { type: 'plan.rejected'; plan_id: string; revision: number }
  /** The plan's folder holds it as it is at this point. */
  | { type: 'plan.stored'; plan_id: string; revision: number; status: string }
  | { type: 'plan.executed'; plan_id: string; revision: number; outcome: TurnOutcome; steps: StepProgress[] }
  | { type: 'permission.granted'; grants: Grant[] }
  | { type: 'turn.closed'; turn_id: TurnId; outcome: TurnOutcome }
