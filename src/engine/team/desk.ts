import type { RunEffect } from '../../core/run/effects.ts'
import type { RunInput } from '../../core/run/input.ts'
import { type AgentTurn, type RunState, agentOf } from '../../core/run/state.ts'
import type { OpenRun, SessionState } from '../../core/session/state.ts'
import type { TeamParts } from '../../ports/team.ts'
import type { RunId, TurnId } from '../../schema/ids.ts'
import type { Pending } from '../../schema/pending.ts'
import type { RunEvent } from '../../schema/run-event.ts'
import type { Actor } from '../actor.ts'
import type { Turns } from '../turns.ts'

export type RunActor = Actor<RunState, RunInput, RunEvent, RunEffect>

export interface RunOrder extends OpenRun {
  chat: SessionState
  /** Told of everything that waits for a person in the run or one of its turns, once or more. */
  onPending: (pending: Pending, from: { turn_id: TurnId | RunId; agent_id?: string }) => void
}

/** A run as its effects see it. */
export interface RunDesk {
  order: RunOrder
  actor: RunActor
  turns: Turns
  team: TeamParts
  /** Aborted when the agent's work can no longer count. */
  cancellation: (turn: TurnId) => AbortSignal
  /** Answers whose checks an earlier process may have begun. */
  unchecked: ReadonlySet<string>
}

/** The agent's turn, if it is the one under way. */
export function turnOf(state: RunState, agent_id: string, turn_id: TurnId): AgentTurn | undefined {
  const turn = agentOf(state, agent_id)?.turn
  return turn?.turn_id === turn_id ? turn : undefined
}
