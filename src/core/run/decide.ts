import type { RunEvent } from '../../schema/run-event.ts'
import { noUsage } from '../../schema/usage.ts'
import { Draft, type Rejected, reject } from '../aggregate.ts'
import { takeAnswer, takeVote } from './acts.ts'
import { askPeers } from './ask.ts'
import { advance } from './advance.ts'
import { evolve } from './evolve.ts'
import type { RunInput } from './input.ts'
import { limitOf } from './novelty.ts'
import { answerPending } from './override.ts'
import { type RunState, agentOf, candidates } from './state.ts'
import { type RunDraft, end, endByLimit, openTurn, presentedText } from './steps.ts'
import { describeProgress } from './summary.ts'

type InputOf<T extends RunInput['type']> = Extract<RunInput, { type: T }>

export function decide(state: RunState, input: RunInput): RunEvent[] | Rejected {
  const started = state.stage !== 'idle'
  if (input.type === 'start' ? started : !started) {
    return reject(started ? 'this run has already started' : 'this run has not started')
  }
  const draft = new Draft(state, evolve)
  const refusal = apply(draft, input)
  if (refusal) return refusal
  advance(draft, input.type === 'start' ? input.started.at_ms : input.now)
  return draft.events
}

function apply(draft: RunDraft, input: RunInput): Rejected | undefined {
  const { state } = draft
  switch (input.type) {
    case 'start':
      if (input.started.settings.agents.length === 0) return reject('a run needs at least one agent')
      draft.emit(input.started)
      return undefined
    case 'submit_answer':
      return takeAnswer(draft, input)
    case 'vote':
      return takeVote(draft, input)
    case 'ask':
      return askPeers(draft, input)
    case 'asked': {
      const { agent_id, call_id } = input
      draft.emit({ type: 'question.answered', agent_id, call_id })
      return undefined
    }
    case 'turn_ended':
      return endTurn(draft, input)
    case 'evidence':
      draft.emit({ type: 'evidence.recorded', label: input.label, results: input.results })
      return undefined
    case 'told': {
      const { agent_id, turn_id, labels, delivered } = input
      if (agentOf(state, agent_id)?.turn?.turn_id !== turn_id) return undefined
      draft.emit({ type: 'update.injected', agent_id, turn_id, labels, delivered })
      return undefined
    }
    case 'timer':
      return timeOut(draft, input)
    case 'answer_pending':
      return answerPending(draft, input)
    case 'interrupt':
      if (state.stage === 'finished' || state.stage === 'recording') return reject('this run is over')
      if (input.limit) endByLimit(draft, input.limit)
      else end(draft, { status: 'cancelled', final_answer: describeProgress(state, 'Interrupted.') })
      return undefined
    case 'baseline_taken':
      draft.emit({ type: 'writes.enabled', baseline: input.baseline })
      return undefined
    case 'applied': {
      const { files, conflicts } = input
      draft.emit({ type: 'answer.applied', label: state.presenter?.label ?? '', files, conflicts })
      return undefined
    }
    case 'writes_found':
      draft.emit({ type: 'writes.recorded', files: input.files, footer: input.footer })
      return undefined
    case 'log_stored':
      draft.emit({ type: 'log.stored', directory: input.directory })
      return undefined
    case 'fail': {
      const { message } = input.failure
      if (state.stage === 'finished' || state.stage === 'recording') {
        giveUp(draft, message)
        return undefined
      }
      end(draft, { status: 'failed', final_answer: describeProgress(state, message), failure: input.failure })
      return undefined
    }
  }
}

/** It is ending already: what cannot be done any more is left, so that it does end. */
function giveUp(draft: RunDraft, message: string): void {
  for (const { id, turn } of draft.state.agents) {
    if (!turn) continue
    const nothing = { usage: noUsage, worked_ms: 0, phases: { states: [], iterations: 0 } }
    draft.emit({ type: 'agent.finished', agent_id: id, turn_id: turn.turn_id, outcome: 'failed', ...nothing })
  }
  const { stage, baseline, writes, applying, presenter } = draft.state
  if (applying)
    draft.emit({ type: 'answer.applied', label: presenter?.label ?? '', files: [], conflicts: [] })
  if (stage === 'finished') draft.emit({ type: 'log.stored', directory: '' })
  else if (baseline !== undefined && !writes)
    draft.emit({ type: 'writes.recorded', files: [], footer: `(what was written is not known: ${message})` })
}

function endTurn(draft: RunDraft, input: InputOf<'turn_ended'>): Rejected | undefined {
  const { agent_id, turn_id, outcome, answer, failure, usage, worked_ms, phases, now } = input
  const agent = agentOf(draft.state, agent_id)
  const turn = agent?.turn
  if (!agent || turn?.turn_id !== turn_id) return reject(`${turn_id} is not under way in this run`)
  draft.emit({
    type: 'agent.finished',
    ...{ agent_id, turn_id, outcome, usage, worked_ms, phases },
    ...(failure && { failure }),
  })
  if (turn.cancelled || turn.acted) return undefined
  if (turn.purpose === 'present') {
    endPresentation(draft, input)
    return undefined
  }
  if (draft.state.stage !== 'coordinating') return undefined
  if (outcome !== 'complete') {
    const reason = failure?.message ?? (answer.trim().split('\n', 1)[0] || `its turn was ${outcome}`)
    draft.emit({ type: 'agent.out', agent_id, reason })
  } else if (turn.reminder >= draft.state.settings.coordination.max_reminders) {
    draft.emit({
      type: 'agent.out',
      agent_id,
      reason: `it neither answered nor voted after ${turn.reminder} reminders`,
    })
  } else {
    const reminded = agentOf(draft.state, agent_id)
    const { purpose } = turn
    // Where the team has given all its answers there is nothing to remind it of: it votes with the others.
    if (reminded && !(purpose === 'answer' && limitOf(draft.state, reminded)))
      openTurn(draft, reminded, { purpose, reminder: turn.reminder + 1, round: draft.state.round, now })
  }
  return undefined
}

/** A presenter that fails does not take the answer with it. */
function endPresentation(draft: RunDraft, { outcome, answer, failure }: InputOf<'turn_ended'>): void {
  if (outcome === 'complete') return end(draft, { status: 'complete', final_answer: answer })
  const reason = failure?.message ?? `the turn was ${outcome}`
  const kept = presentedText(draft.state) ?? ''
  const stopped = /[.!?…]$/.test(reason.trim()) ? reason.trim() : `${reason.trim()}.`
  end(draft, {
    status: outcome === 'limit' ? 'limit' : 'failed',
    final_answer: `${kept}\n\n(The presentation did not come to its end: ${stopped} This is the answer as it was voted for.)`,
    failure: failure ?? { kind: 'model', message: reason },
  })
}

function timeOut(draft: RunDraft, { name, now }: InputOf<'timer'>): Rejected | undefined {
  const { state } = draft
  const [kind, turn_id] = name.split(':', 2)
  const agent = state.agents.find(({ turn }) => turn?.turn_id === turn_id)
  switch (kind) {
    case 'run':
      // After a crash or a night of sleep both are over at once: what there is is presented all the same.
      if (
        state.stage === 'coordinating' &&
        !state.late.includes('coordination') &&
        candidates(state).length > 0
      ) {
        draft.emit({ type: 'deadline.reached', deadline: 'coordination' })
        return undefined
      }
      draft.emit({ type: 'deadline.reached', deadline: 'run' })
      endByLimit(draft, `${Math.round((now - state.started_ms) / 1000)} s (orchestrator_timeout_seconds)`)
      return undefined
    case 'coordination':
      draft.emit({ type: 'deadline.reached', deadline: 'coordination' })
      return undefined
    case 'patience':
      if (!state.voting_open) draft.emit({ type: 'voting.opened', reason: 'patience' })
      return undefined
    case 'warn':
      if (agent?.turn) draft.emit({ type: 'agent.warned', agent_id: agent.id, turn_id: agent.turn.turn_id })
      return undefined
    case 'out':
      if (agent)
        draft.emit({ type: 'agent.out', agent_id: agent.id, reason: 'it took longer than the round allows' })
      return undefined
    default:
      return reject(`nothing waits for a timer called ${name}`)
  }
}
