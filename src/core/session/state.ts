import type { ChatConfig } from '../../schema/chat-config.ts'
import type { ChatId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Grant } from '../../schema/permission.ts'
import type { Plan, PlanChange, StepReview } from '../../schema/plan.ts'
import type { StepProgress, TurnOutcome, TurnSettings } from '../../schema/turn-event.ts'
import type { List } from '../list.ts'

export interface SessionState {
  chat_id: ChatId
  title: string
  folder: string
  config: ChatConfig
  /** Something about the stored chat that a person should know. */
  warning?: string
  messages: List<Message>
  /** Turns that are over, oldest first: their logs are the conversation the next turn goes on from. */
  turns: List<TurnId>
  open_turn: OpenTurn | null
  /** Pendings of the open turn that were put into the chat as messages. */
  noted: readonly string[]
  /** What the person allowed for the rest of this chat. */
  grants: readonly Grant[]
  plan: ChatPlan | null
  last_outcome?: TurnOutcome
}

export interface OpenTurn {
  turn_id: TurnId
  agent_id: string
  prompt: string
  settings: TurnSettings
}

/** The plan the chat is about: its newest revision, and how far it has come. */
export interface ChatPlan {
  plan_id: string
  revision: number
  plan: Plan
  /** Where it is kept, relative to the folder. */
  directory: string
  status: 'proposed' | 'approved' | 'rejected' | TurnOutcome
  steps: readonly StepProgress[]
  approvals: readonly PlanApproval[]
  /** What is different from the revision before. */
  changes?: readonly PlanChange[]
  /** What its folder holds: the revision and status that were stored last. */
  stored?: string
}

export interface PlanApproval {
  revision: number
  by: string
  additions?: string
  reviews: readonly StepReview[]
}

/** Changes whenever the plan's folder is out of date. */
export const storageKey = ({ plan_id, revision, status }: ChatPlan): string =>
  `${plan_id}:${revision}:${status}`

export const initialSession: SessionState = {
  chat_id: 'chat_',
  title: '',
  folder: '',
  config: { agent_mode: 'Act' },
  messages: null,
  turns: null,
  open_turn: null,
  noted: [],
  grants: [],
  plan: null,
}
