import { awaitsApply, awaitsBaseline } from './applying.ts'
import { gateApply } from './final.ts'
import { limitOf } from './novelty.ts'
import { offerOverride } from './override.ts'
import { type RunState, type TeamAgent, agentOf, candidates } from './state.ts'
import { type RunDraft, complete, end, openTurn, presentedText } from './steps.ts'
import { describeProgress } from './summary.ts'
import { isDecided, voters } from './tally.ts'

/** Takes a run as far as it can go without waiting for anybody. */
export function advance(draft: RunDraft, now: number): void {
  for (let stage; stage !== draft.state.stage;) {
    stage = draft.state.stage
    step(draft, now)
  }
}

function step(draft: RunDraft, now: number): void {
  const { state } = draft
  switch (state.stage) {
    case 'coordinating':
      return coordinate(draft, now)
    case 'deciding':
      return settle(draft, now)
    case 'presenting':
      return present(draft, now)
    case 'recording': {
      const busy = state.applying || state.agents.some(({ turn }) => turn !== null)
      if (!busy && state.ending && (state.writes || state.baseline === undefined))
        draft.emit({ type: 'run.finished', ...state.ending })
    }
  }
}

const isActive = ({ out }: TeamAgent): boolean => out === null

function coordinate(draft: RunDraft, now: number): void {
  if (draft.state.turns_started === 0) {
    for (const agent of draft.state.agents) openTurn(draft, agent, { purpose: 'answer', round: 1, now })
  }
  const { state } = draft
  const known = candidates(state)
  if (known.length === 0 && state.agents.every(({ out, turn }) => out !== null && turn === null))
    return fail(draft)
  if (known.length > 0 && state.late.includes('coordination')) return complete(draft, 'timeout')
  if (!state.voting_open && mayOpenVoting(state)) {
    if (state.settings.coordination.skip_voting) return complete(draft, 'skipped')
    draft.emit({ type: 'voting.opened', reason: 'all_answered' })
  }
  if (draft.state.voting_open) vote(draft, now)
}

/** Everybody has answered, can no longer or is out, and what the answers are worth is known. */
function mayOpenVoting(state: RunState): boolean {
  const active = state.agents.filter(isActive)
  return (
    candidates(state).length > 0 &&
    active.every((agent) => agent.turn === null && (agent.answers.length > 0 || limitOf(state, agent))) &&
    hasEvidence(state)
  )
}

const hasEvidence = (state: RunState): boolean =>
  candidates(state).every(({ answer }) => answer.evidence !== null)

function vote(draft: RunDraft, now: number): void {
  const { state } = draft
  const toCome = voters(state)
  if (isDecided(state)) return complete(draft, toCome.length > 0 ? 'decided' : 'voted')
  if (toCome.length === 0) return complete(draft, 'voted')
  // Late ones that still work at their first answer are not waited for.
  const settled = toCome.every(({ turn, answers }) => turn === null || answers.length === 0)
  if (!settled || !hasEvidence(state)) return
  const idle = toCome.filter(({ turn }) => turn === null)
  if (!isWorthVoting(state, idle)) return complete(draft, 'one_candidate')
  for (const agent of idle) openTurn(draft, agent, { purpose: 'vote', round: state.polls + 1, now })
  if (idle.length > 0) coordinate(draft, now)
}

/** With one candidate there is nothing to choose; but one agent alone may go on refining until it says it is done. */
function isWorthVoting(state: RunState, idle: readonly TeamAgent[]): boolean {
  if (candidates(state).length > 1) return true
  if (state.agents.some(({ turn }) => turn !== null && !turn.cancelled)) return true
  const [only] = idle
  const { disable_injection } = state.settings.coordination
  return state.agents.length === 1 && only !== undefined && !disable_injection && !limitOf(state, only)
}

function fail(draft: RunDraft): void {
  const { state } = draft
  const limited = state.agents.every(({ outcome }) => outcome === 'limit')
  const message = `No agent came to an answer${limited ? ' within its limits' : ''}.`
  end(draft, {
    status: limited ? 'limit' : 'failed',
    final_answer: describeProgress(state, message),
    failure: limited
      ? { kind: 'limit', message, hint: 'raise the limit, or ask for less' }
      : { kind: 'model', message, hint: 'see what each got to, then try again or choose other agents' },
  })
}

/** The person may choose another presenter before anything is written. */
function settle(draft: RunDraft, now: number): void {
  if (draft.state.pendings.length > 0 || offerOverride(draft)) return
  const { presenter, settings } = draft.state
  const { final_answer_strategy: strategy, presentation: makes_call } = settings.coordination
  if (!presenter) return
  draft.emit({ type: 'presentation.started', agent_id: presenter.agent, strategy, makes_call, at_ms: now })
}

/** Writes are enabled, the presenter's work is put into the folder, and it presents: one after the other. */
function present(draft: RunDraft, now: number): void {
  const { state } = draft
  const presenter = agentOf(state, state.presenter?.agent ?? '')
  if (!presenter || state.pendings.length > 0 || awaitsBaseline(state)) return
  if (awaitsApply(state)) {
    gateApply(draft)
    if (awaitsApply(draft.state)) return
  }
  if (presenter.turn) return
  if (state.presented?.makes_call && presenter.out === null) {
    openTurn(draft, presenter, { purpose: 'present', round: state.round, now })
    if (agentOf(draft.state, presenter.id)?.turn) return
  }
  end(draft, { status: 'complete', final_answer: presentedText(draft.state) ?? '' })
}
