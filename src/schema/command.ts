import type { ChatMode } from './chat-config.ts'
import type { ChatId, RunId, TurnId } from './ids.ts'
import type { PendingAnswer } from './pending.ts'
import type { NamedPicture } from './picture.ts'
import type { Plan, StepReview } from './plan.ts'
import type { RunSettings } from './run-event.ts'
import type { TeamMode } from './coordination.ts'
import type { TurnSettings } from './turn-event.ts'

/** What a person (or a face acting for one) can ask of the engine. */
export type Command =
  | {
      type: 'create_chat'
      chat_id: ChatId
      folder: string
      title: string
      agent_mode?: ChatMode
      /** `at`: the copy ends with the exchange of this message or turn; without it, with the last one. */
      fork?: { chat_id: ChatId; at?: string }
    }
  | {
      type: 'send_message'
      chat_id: ChatId
      text: string
      pictures?: NamedPicture[]
      agent_id: string
      settings: MessageSettings
    }
  /** A message that a team answers. */
  | {
      type: 'start_run'
      chat_id: ChatId
      text: string
      pictures?: NamedPicture[]
      settings: RunMessageSettings
    }
  /** Refused while agents work. What is left out stays as it is. */
  | { type: 'set_team'; chat_id: ChatId; team_mode?: TeamMode; refinement?: boolean; active_agent?: string }
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
  /** Summarises what came before the last exchanges (2, unless `preserve_recent` says otherwise). */
  | { type: 'compact_chat'; chat_id: ChatId; agent_id: string; preserve_recent?: number }
  | { type: 'reject_plan'; chat_id: ChatId; plan_id: string; revision: number }
  | { type: 'import_plan'; chat_id: ChatId; plan_id: string; revision: number; plan: Plan }
  | { type: 'give_guidance'; turn_id: TurnId; text: string }
  /** `turn_id` names the stream that waits, which can be a run. */
  | {
      type: 'answer_pending'
      turn_id: TurnId | RunId
      pending_id: string
      answer: PendingAnswer
      by: string
    }
  /**
   * `limit` says which limit made the face interrupt, when it was not the person. `run_id` names a run that an agent
   * launched: it alone is stopped, also in the background, where nothing else stops it.
   */
  | { type: 'interrupt'; chat_id: ChatId; limit?: string; run_id?: RunId }

/** What a face may choose for a turn; the rest follows from the chat. */
export type MessageSettings = Omit<TurnSettings, 'mode' | 'tools' | 'grants' | 'plan'>

/** The tools and the mode follow from the chat. */
export type RunMessageSettings = Omit<RunSettings, 'turn' | 'seed' | 'sees_chat'> & {
  turn: MessageSettings
  seed?: number
}

export type CommandResult = { accepted: true } | { accepted: false; reason: string }
