import type { TallyLine } from '../../schema/coordination.ts'
import { type Decision, type RunState, type TeamAgent, candidates } from './state.ts'

/** Votes for each candidate, most first; equal ones in the order of the config. */
export function tally(state: RunState): TallyLine[] {
  const lines = candidates(state).map(({ agent }) => ({ agent: agent.id, votes: votesFor(state, agent.id) }))
  return lines.toSorted((a, b) => b.votes - a.votes)
}

const votesFor = (state: RunState, id: string): number =>
  state.agents.filter(({ vote }) => vote?.for === id).length

/** Agents whose vote may still come. */
export const voters = (state: RunState): TeamAgent[] =>
  state.agents.filter(({ out, vote }) => out === null && vote === null)

/** No way in which the votes to come could be cast leads to another winner. */
export function isDecided(state: RunState): boolean {
  const [first, ...others] = tally(state)
  if (!first || first.votes === 0) return false
  const toCome = voters(state).length
  const order = state.agents.map(({ id }) => id)
  return others.every(
    ({ agent, votes }) =>
      votes + toCome < first.votes ||
      (votes + toCome === first.votes && order.indexOf(first.agent) < order.indexOf(agent)),
  )
}

/** Ties go to the agent listed first; with no votes at all, so does the run. */
export function decideWinner(state: RunState, reason: Decision['reason']): Decision | undefined {
  const lines = tally(state)
  const [first, second] = lines
  if (!first) return undefined
  const label = candidates(state).find(({ agent }) => agent.id === first.agent)?.answer.label ?? ''
  const margin = first.votes - (second?.votes ?? 0)
  const voted = first.votes > 0
  return {
    winner: first.agent,
    label,
    tally: lines,
    margin,
    tie: voted && second !== undefined && margin === 0,
    reason:
      voted || reason === 'skipped' || reason === 'one_candidate' || reason === 'timeout'
        ? reason
        : 'no_votes',
  }
}
