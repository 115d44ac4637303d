import type { ChatConfig } from '../../schema/chat-config.ts'
import type { Compaction, CompactionOrder } from '../../schema/compaction.ts'
import type { ChatId, RunId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Grant } from '../../schema/permission.ts'
import type { Picture } from '../../schema/picture.ts'
import type { Plan, PlanChange, StepReview } from '../../schema/plan.ts'
import type { RunSettings } from '../../schema/run-event.ts'
import type { FollowUp } from '../../schema/session-event.ts'
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
  /** Turns and runs that are over, oldest first: their logs are the conversation the next turn goes on from. */
  turns: List<TurnId | RunId>
  open_turn: OpenTurn | null
  /** A team that is at work instead of one agent. */
  open_run: OpenRun | null
  /** Runs that agents launched and nobody waits for. */
  background: readonly OpenRun[]
  /** Pendings of what is under way that were put into the chat as messages. */
  noted: readonly string[]
  /** What the person allowed for the rest of this chat. */
  grants: readonly Grant[]
  plan: ChatPlan | null
  last_outcome?: TurnOutcome
  /** What models see instead of the exchanges up to there. */
  compaction: Compaction | null
  /** A summary is being made; no turn begins before it is there. */
  compacting: CompactionOrder | null
  /** Attempts since one last brought the chat below its threshold. */
  compaction_attempts: { failed: number; futile: number }
  /** Why the last attempt did not help. */
  compaction_problem?: string
}

export interface OpenTurn {
  turn_id: TurnId
  agent_id: string
  prompt: string
  pictures?: readonly Picture[]
  settings: TurnSettings
}

export interface OpenRun {
  run_id: RunId
  prompt: string
  pictures?: readonly Picture[]
  settings: RunSettings
  /** Carries out the plan that the run ends with. */
  follow_up?: FollowUp
}

/** Changes can be made although nobody waits for them. */
export const actsInBackground = ({ background }: SessionState): boolean =>
  background.some(({ settings }) => settings.turn.mode === 'Act')

/** Whether a pending waits in this run or in one of its turns. */
export const waitsIn = ({ run_id }: OpenRun, pending_id: string): boolean =>
  pending_id.startsWith(`${run_id}:`) || pending_id.startsWith(`turn_${run_id.slice('run_'.length)}-`)

export const isBusy = ({ open_turn, open_run }: SessionState): boolean =>
  open_turn !== null || open_run !== null

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
  open_run: null,
  background: [],
  noted: [],
  grants: [],
  plan: null,
  compaction: null,
  compacting: null,
  compaction_attempts: { failed: 0, futile: 0 },
}
