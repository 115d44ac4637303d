/** `conclave/core`: the rules. What may happen, what follows from it, and what a log comes to. */
export { type Aggregate, type Rejected, isRejected } from '../core/aggregate.ts'
export { type List, itemsFrom, lengthOf, toArray } from '../core/list.ts'
export { run } from '../core/run/run.ts'
export type { RunState } from '../core/run/state.ts'
export { session } from '../core/session/session.ts'
export type { ChatPlan, SessionState } from '../core/session/state.ts'
export type { TurnState } from '../core/turn/state.ts'
export { turn } from '../core/turn/turn.ts'
export type { ChatConfig, ChatMode } from '../schema/chat-config.ts'
export type { Command, CommandResult } from '../schema/command.ts'
export {
  type DurableEvent,
  ENVELOPE_VERSION,
  type Envelope,
  type StoredEnvelope,
} from '../schema/envelope.ts'
export { type ChatId, type RunId, type StreamId, type TurnId, isRunId, isTurnId } from '../schema/ids.ts'
export type { LiveEvent } from '../schema/live-event.ts'
export type { Pending, PendingAnswer } from '../schema/pending.ts'
export type { Plan, PlanStep, StepReview } from '../schema/plan.ts'
export type { RunEvent } from '../schema/run-event.ts'
export type { RunResult } from '../schema/run-result.ts'
export type { SessionEvent } from '../schema/session-event.ts'
export type { TurnEvent } from '../schema/turn-event.ts'
