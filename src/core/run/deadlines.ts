import type { RunTimeouts } from '../../schema/run-event.ts'
import type { AgentTurn, RunState } from './state.ts'

/** The least time others get when most have answered. */
const LEAST_PATIENCE_MS = 10_000

export function coordinationDeadline({ started_ms, settings: { timeouts } }: RunState): number {
  return started_ms + timeouts.run_ms - presentationTime(timeouts)
}

/** A person who took long to decide does not take the time from the presentation. */
export function runDeadline({ started_ms, presented, settings: { timeouts } }: RunState): number {
  const usual = started_ms + timeouts.run_ms
  return presented ? Math.max(usual, presented.at_ms + presentationTime(timeouts)) : usual
}

/** The presentation has its share of the time: the grace, but never more than a fifth of the whole. */
const presentationTime = ({ grace_ms, run_ms }: RunTimeouts): number => Math.min(grace_ms, run_ms / 5)

/**
 * When more than half have answered, the others get as long again; then the vote is opened without them. Whoever
 * answers later reopens it.
 */
export function patienceEnds(state: RunState): number | undefined {
  const { defer_voting_until_all_answered, disable_injection, skip_voting } = state.settings.coordination
  if (state.voting_open || defer_voting_until_all_answered || disable_injection || skip_voting)
    return undefined
  const active = state.agents.filter(({ out }) => out === null)
  const firsts = active
    .flatMap(({ answers: [first] }) => (first ? [first.at_ms] : []))
    .toSorted((a, b) => a - b)
  const quorum = Math.floor(active.length / 2) + 1
  const reached = firsts[quorum - 1]
  if (reached === undefined || firsts.length === active.length || quorum < 2) return undefined
  return reached + Math.max(LEAST_PATIENCE_MS, reached - state.started_ms)
}

/** Its part is done: it only has to end. */
export const actedAlone = (turn: AgentTurn): boolean => turn.acted || turn.cancelled
