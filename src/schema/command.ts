import type { ChatMode } from './chat-config.ts'
import type { ChatId, TurnId } from './ids.ts'
import type { PendingAnswer } from './pending.ts'
import type { Plan, StepReview } from './plan.ts'
import type { TurnSettings } from './turn-event.ts'

/** What a person (or a face acting for one) can ask of the engine. */
export type Command =
  | {
      type: 'create_chat'
      chat_id: ChatId
      folder: string
      title: string
      agent_mode?: ChatMode
      fork?: { chat_id: ChatId }
    }
  | {
      type: 'send_message'
      chat_id: ChatId
      text: string
      agent_id: string
      settings: MessageSettings
    }
  /** Without `confirm` an agent at work is not stopped, and the command is refused. */
  | { type: 'set_agent_mode'; chat_id: ChatId; agent_mode: ChatMode; confirm?: boolean }
  /** "Execute Plan": approves this revision, switches to Act and starts. */
  | {
      type: 'execute_plan'
      chat_id: ChatId
      plan_id: string
      revision: number
      additions?: string
      reviews?: StepReview[]
      by: string
      agent_id: string
      settings: MessageSettings
    }
  | { type: 'reject_plan'; chat_id: ChatId; plan_id: string; revision: number }
  | { type: 'import_plan'; chat_id: ChatId; plan_id: string; revision: number; plan: Plan }
  | { type: 'give_guidance'; turn_id: TurnId; text: string }
  | { type: 'answer_pending'; turn_id: TurnId; pending_id: string; answer: PendingAnswer; by: string }
  /** `limit` says which limit made the face interrupt, when it was not the person. */
  | { type: 'interrupt'; chat_id: ChatId; limit?: string }

/** What a face may choose for a turn; the rest follows from the chat. */
export type MessageSettings = Omit<TurnSettings, 'mode' | 'tools' | 'grants' | 'plan'>

export type CommandResult = { accepted: true } | { accepted: false; reason: string }
