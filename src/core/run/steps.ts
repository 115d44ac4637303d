import type { Failure } from '../../schema/failure.ts'
import type { TurnId } from '../../schema/ids.ts'
import type { AgentTurnPurpose, RunEvent } from '../../schema/run-event.ts'
import type { Draft } from '../aggregate.ts'
import { drawBallot } from './ballot.ts'
import { awaitsApply, isApplying } from './applying.ts'
import { limitOf } from './novelty.ts'
import {
  type Decision,
  type Ending,
  type RunState,
  type TeamAgent,
  findAnswer,
  latestAnswer,
} from './state.ts'
import { describeProgress } from './summary.ts'
import { decideWinner } from './tally.ts'

/** Files that could not be written, in the final answer; the log has all of them. */
const MOST_TOLD = 20

/** The moves a decision is made of. */
export type RunDraft = Draft<RunState, RunEvent>

export function openTurn(
  draft: RunDraft,
  agent: TeamAgent,
  {
    purpose,
    reminder = 0,
    round,
    now,
  }: { purpose: AgentTurnPurpose; reminder?: number; round: number; now: number },
): void {
  const { state } = draft
  const { coordination } = state.settings
  const limit = budgetOf(state, agent, purpose)
  if ('spent' in limit) {
    draft.emit({ type: 'agent.out', agent_id: agent.id, reason: limit.spent })
    return
  }
  const first = purpose === 'answer'
  draft.emit({
    type: 'agent.started',
    agent_id: agent.id,
    turn_id: nextTurn(state),
    purpose,
    round,
    ballot: purpose === 'vote' ? drawBallot(state, state.turns_started) : [],
    may_answer: first || (purpose === 'vote' && !coordination.disable_injection && !limitOf(state, agent)),
    may_vote: purpose === 'vote',
    reminder,
    ...limit,
    at_ms: now,
  })
}

const nextTurn = ({ run_id, turns_started }: RunState): TurnId =>
  `turn_${run_id.slice('run_'.length)}-${turns_started + 1}`

/**
 * Each agent's own budget, and an equal share of what the team has left: what turns under way may use is theirs, and
 * nobody works beside a presentation.
 */
function budgetOf(
  { agents, usage, settings }: RunState,
  agent: TeamAgent,
  purpose: AgentTurnPurpose,
): { max_tokens?: number; max_usd?: number } | { spent: string } {
  const busy = agents.flatMap(({ turn }) => turn ?? [])
  const waiting = agents.filter(({ out, turn }) => out === null && turn === null).length
  const sharers = purpose === 'present' ? 1 : Math.max(1, waiting)
  const held = (limit: 'max_tokens' | 'max_usd') => busy.reduce((sum, turn) => sum + (turn[limit] ?? 0), 0)
  const tokens = least(
    rest(agent.max_tokens, agent.usage.input_tokens + agent.usage.output_tokens),
    rest(settings.budget.max_tokens, usage.input_tokens + usage.output_tokens + held('max_tokens'), sharers),
    settings.turn.max_tokens,
  )
  const usd = least(
    rest(agent.max_usd, agent.usage.cost_usd ?? 0),
    rest(settings.budget.max_usd, (usage.cost_usd ?? 0) + held('max_usd'), sharers),
    settings.turn.max_usd,
  )
  if (tokens !== undefined && tokens <= 0) return { spent: 'its tokens are spent' }
  if (usd !== undefined && usd <= 0) return { spent: 'its money is spent' }
  return {
    ...(tokens !== undefined && { max_tokens: Math.floor(tokens) }),
    ...(usd !== undefined && { max_usd: usd }),
  }
}

const rest = (limit: number | undefined, used: number, sharers = 1): number | undefined =>
  limit === undefined ? undefined : (limit - used) / sharers

const least = (...limits: (number | undefined)[]): number | undefined => {
  const known = limits.filter((limit) => limit !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** Ends the run; where something may have been written, that is looked at first. */
export function end(draft: RunDraft, how: Ending): void {
  const { stage, baseline, writes, agents } = draft.state
  if (stage === 'finished' || stage === 'recording') return
  const ending = { ...how, final_answer: [how.final_answer, ...unwritten(draft.state)].join('\n\n') }
  const looks = baseline !== undefined && !writes
  if (looks || agents.some(({ turn }) => turn !== null)) draft.emit({ type: 'run.ending', ...ending })
  else draft.emit({ type: 'run.finished', ...ending })
}

/** What of the answer is not in the person's folder: told by us, whatever the presenter makes of it. */
function unwritten(state: RunState): string[] {
  const { folder, applied } = state
  if (awaitsApply(state) && !isApplying(state)) return [cutOff(state)]
  const conflicts = applied?.conflicts ?? []
  if (conflicts.length === 0) return []
  const lines = conflicts.slice(0, MOST_TOLD).map(({ path, reason, kept_as }) => {
    const kept = kept_as?.startsWith(`${folder}/`) ? kept_as.slice(folder.length + 1) : kept_as
    return `- ${path}: ${reason}${kept ? ` (the answer's version: ${kept})` : ''}`
  })
  return [notWritten(lines, conflicts.length)]
}

/** The run ended before the answer's files were put into the folder: they are only in its log. */
function cutOff(state: RunState): string {
  const { run_id, presenter } = state
  const label = presenter?.label ?? ''
  const { files, changed } = findAnswer(state, label)?.snapshot ?? { files: 0, changed: [] }
  const diff = `.conclave/logs/${run_id}/answers/${label}.diff`
  const lines = changed.slice(0, MOST_TOLD).map(({ path }) => `- ${path}: the run ended before`)
  return `${notWritten(lines, files)} (all changes of the answer: ${diff})`
}

const notWritten = (lines: readonly string[], all: number): string =>
  [
    'Not written to your folder:',
    ...lines,
    ...(all > lines.length ? [`- … and ${all - lines.length} more`] : []),
  ].join('\n')

/** Out of time: what there is goes out as it stands. */
export function endByLimit(draft: RunDraft, limit: string): void {
  if (!draft.state.decision) complete(draft, 'timeout')
  const { state } = draft
  const answer = presentedText(state)
  const message = `Stopped by a limit: ${limit}.`
  const failure: Failure = { kind: 'limit', message, hint: 'raise the limit, or ask for less' }
  end(draft, { status: 'limit', final_answer: answer ?? describeProgress(state, message), failure })
}

/** Closes the vote as it stands, if there is anybody to elect. */
export function complete(draft: RunDraft, reason: Decision['reason']): void {
  const decision = decideWinner(draft.state, reason)
  if (decision) draft.emit({ type: 'voting.completed', ...decision, tally: [...decision.tally] })
}

/** The words of whoever presents, as far as there are any. */
export function presentedText(state: RunState): string | undefined {
  const presenter = state.agents.find(({ id }) => id === state.presenter?.agent)
  return presenter && latestAnswer(presenter)?.text
}

export const nextPendingId = (state: RunState): string => `${state.run_id}:${state.pendings_opened + 1}`
