import type { ChatConfig } from './chat-config.ts'
import type { Compaction, CompactionOrder } from './compaction.ts'
import type { ChatId, RunId, TurnId } from './ids.ts'
import type { Grant } from './permission.ts'
import type { Message } from './message.ts'
import type { Picture } from './picture.ts'
import type { Plan, PlanChange, StepReview } from './plan.ts'
import type { RunSettings } from './run-event.ts'
import type { StepProgress, TurnOutcome, TurnSettings } from './turn-event.ts'

export type SessionEvent =
  | {
      type: 'chat.created'
      chat_id: ChatId
      title: string
      folder: string
      config: ChatConfig
      /** A fork starts with the finished turns of the chat it came from. */
      forked_from?: { chat_id: ChatId; turns: (TurnId | RunId)[] }
    }
  | { type: 'chat_config.changed'; config: ChatConfig }
  | { type: 'message.added'; message: Message }
  | {
      type: 'turn.opened'
      turn_id: TurnId
      agent_id: string
      prompt: string
      pictures?: Picture[]
      settings: TurnSettings
    }
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
  /** Earlier exchanges are to be summarised; a turn that is open waits for it. */
  | ({ type: 'session.compaction_requested' } & CompactionOrder)
  | ({ type: 'session.compacted' } & Compaction)
  /** The conversation stays as it is. `kind`: which attempts it counts among; `futile` made it no shorter. */
  | { type: 'session.compaction_failed'; reason: string; kind?: 'failed' | 'futile' }
  /** A team answers instead of one agent. `background`: an agent launched it, and the person goes on talking. */
  | {
      type: 'run.opened'
      run_id: RunId
      prompt: string
      pictures?: Picture[]
      settings: RunSettings
      background?: boolean
      follow_up?: FollowUp
    }
  | { type: 'run.closed'; run_id: RunId; outcome: TurnOutcome; background?: boolean }

/** What carries out the plan of a planning run that ended well. The plan is added to `prompt`. */
export interface FollowUp {
  run_id: RunId
  prompt: string
  settings: RunSettings
}
