import type { Failure } from '../../schema/failure.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { ToolCall, TurnEvent, TurnOutcome } from '../../schema/turn-event.ts'
import { Draft, type Rejected, reject } from '../aggregate.ts'
import { parseQuestion } from '../plan/parse-question.ts'
import { advance } from './advance.ts'
import { askExternal } from './dispatch.ts'
import { awaitedReply } from './effects.ts'
import { evolve } from './evolve.ts'
import type { TurnInput } from './input.ts'
import { isOver } from './phases.ts'
import type { TurnState } from './state.ts'
import {
  type TurnDraft,
  answerOf,
  endByLimit,
  enter,
  enterNextPlanning,
  enterReflecting,
  finish,
  nextPendingId,
  openGuidance,
} from './steps.ts'
import { reportProgress } from './summary.ts'
import { takeAnswer } from './take-answer.ts'
import { squeeze } from './squeeze.ts'
import { readVerdict } from './verdict.ts'

export function decide(state: TurnState, input: TurnInput): TurnEvent[] | Rejected {
  const started = state.visited !== null
  if (input.type === 'start' ? started : !started) {
    return reject(started ? 'this turn has already started' : 'this turn has not started')
  }
  if (isOver(state.phase)) return reject(`this turn is over (${state.phase})`)
  const draft = new Draft(state, evolve)
  const refusal = apply(draft, input)
  if (refusal) return refusal
  advance(draft)
  return draft.events
}

function apply(draft: TurnDraft, input: TurnInput): Rejected | undefined {
  switch (input.type) {
    case 'start':
      draft.emit(input.started, { type: 'phase.entered', phase: 'Planning', iteration: 1 })
      return undefined
    case 'model_replied':
      return takeReply(draft, input.reply)
    case 'model_failed':
      if (input.failure.kind === 'context') return squeeze(draft, input.failure.message)
      return fail(draft, input.failure)
    case 'fail':
      return fail(draft, input.failure)
    case 'context_full':
      return squeeze(draft, `about ${input.tokens} tokens do not fit into a context of ${input.window}`)
    case 'summarized': {
      const { compacting } = draft.state
      if (!compacting) return reject('no summary is awaited')
      draft.emit({ type: 'context.compacted', ...compacting, summary: input.summary, usage: input.usage })
      return undefined
    }
    case 'tool_finished': {
      if (!draft.state.open.some((open) => open.call.id === input.call_id && !open.subtasks)) {
        return reject(`the call ${input.call_id} is not open`)
      }
      const { type: _, ...result } = input
      draft.emit({ type: 'tool.finished', ...result })
      return undefined
    }
    case 'subtask_finished':
      return finishSubtask(draft, input)
    case 'external_asked':
      if (awaitedReply(draft.state) !== 'plan') return reject('no agent is at work')
      return askExternal(draft, input.call, input.read_only)
    case 'external_finished': {
      if (awaitedReply(draft.state) !== 'plan') return reject('no agent is at work')
      if (!input.read_only && draft.state.phase === 'Planning') enter(draft, 'Acting')
      const { type: _, ...finished } = input
      draft.emit({ type: 'external.finished', ...finished })
      return undefined
    }
    case 'run_launched': {
      const { call_id, run_id } = input
      const open = draft.state.open.find(({ call }) => call.id === call_id)
      if (!open) return reject(`the call ${call_id} is not open`)
      if (open.follow_up !== run_id) draft.emit({ type: 'run.launched', call_id, run_id })
      return undefined
    }
    case 'give_guidance':
      if (!input.text.trim()) return reject('guidance needs words')
      return takeGuidance(draft, input.text)
    case 'inform':
      if (draft.state.updates_received.includes(input.id)) return undefined
      draft.emit({ type: 'update.received', id: input.id, text: input.text })
      return undefined
    case 'answer_pending':
      return takeAnswer(draft, input)
    case 'interrupt':
      if (input.limit) endByLimit(draft, input.limit)
      else finish(draft, 'cancelled', reportProgress(draft.state, 'Interrupted.'))
      return undefined
    case 'recover':
      markInterrupted(draft)
      return undefined
  }
}

function takeReply(
  draft: TurnDraft,
  reply: Extract<TurnInput, { type: 'model_replied' }>['reply'],
): Rejected | undefined {
  const purpose = awaitedReply(draft.state)
  if (!purpose) return reject('no reply of the model is awaited')
  const cause = draft.state.reflecting ?? 'finished'
  draft.emit({
    type: 'model.replied',
    purpose,
    reply: { ...reply, calls: uniqueIds(draft.state, reply.calls) },
  })
  if (purpose === 'plan') {
    if (reply.calls.length === 0) takeAnswerText(draft, reply.text)
    return undefined
  }
  if (reply.calls.length > 0) {
    draft.emit({
      type: 'reflection.recorded',
      verdict: 'continue',
      reason: 'the model went on working',
      by: 'model',
    })
    enterNextPlanning(draft)
    return undefined
  }
  // Whatever the model made of its work, it did not know what the person has said since.
  const { verdict, reason } =
    draft.state.guidance.length > 0
      ? ({ verdict: 'continue', reason: 'the person gave guidance' } as const)
      : readVerdict(reply.text, cause)
  draft.emit({ type: 'reflection.recorded', verdict, reason, by: 'model' })
  switch (verdict) {
    case 'continue':
      enterNextPlanning(draft)
      return undefined
    case 'complete':
      finish(draft, 'complete', answerOf(draft.state))
      return undefined
    case 'needs_person':
      openGuidance(draft, reason, 'The agent cannot go on without you.')
      return undefined
    case 'failed':
      finish(draft, 'failed', reportProgress(draft.state, reason), { kind: 'model', message: reason })
      return undefined
  }
}

/** In Act mode an answer may be a question: the turn pauses until a person has answered it. */
function takeAnswerText(draft: TurnDraft, text: string): void {
  enterReflecting(draft)
  const question = draft.state.settings.mode === 'Act' ? parseQuestion(text) : undefined
  if (!question) return
  draft.emit(
    { type: 'reflection.recorded', verdict: 'needs_person', reason: question.question, by: 'rule' },
    { type: 'pending.opened', pending: { id: nextPendingId(draft.state), kind: 'question', ...question } },
  )
}

/** Providers repeat call ids, within a reply and across replies; ours name one call of the chat each. */
function uniqueIds(state: TurnState, calls: readonly ToolCall[]): ToolCall[] {
  const turn = state.turn_id.slice(-8)
  return calls.map((call, index) => ({ ...call, id: `call_${turn}_${state.calls + index + 1}` }))
}

function takeGuidance(draft: TurnDraft, text: string): undefined {
  draft.emit({ type: 'guidance.given', text })
  const waiting = draft.state.pendings.find((pending) => pending.kind === 'guidance')
  if (waiting) {
    const answer: PendingAnswer = { kind: 'guidance', decision: 'continue', text }
    draft.emit({ type: 'pending.answered', pending_id: waiting.id, answer, by: 'guidance' })
    if (waiting.kind === 'guidance' && waiting.extends) {
      draft.emit({ type: 'limit.extended', iterations: waiting.extends })
    }
    enterNextPlanning(draft)
  }
}

function finishSubtask(
  draft: TurnDraft,
  input: Extract<TurnInput, { type: 'subtask_finished' }>,
): Rejected | undefined {
  const open = draft.state.open.find(({ call }) => call.id === input.call_id)
  const subtask = open?.subtasks?.find(({ id }) => id === input.subtask_id)
  if (subtask?.status !== 'running') return reject(`the sub-task ${input.subtask_id} is not running`)
  const { type: _, ...finished } = input
  draft.emit({ type: 'subtask.finished', ...finished })
  return undefined
}

/** A write whose end nobody saw may or may not have happened: say so, and never repeat it on our own. */
function markInterrupted(draft: TurnDraft): void {
  if (draft.state.external) {
    draft.emit({
      type: 'guidance.given',
      text: 'You were interrupted while you worked. Check what is done before you go on.',
    })
    enterReflecting(draft)
    enterNextPlanning(draft)
    return
  }
  for (const { call, read_only, child, subtasks } of draft.state.open) {
    if (read_only || child || subtasks) continue
    draft.emit({
      type: 'tool.finished',
      call_id: call.id,
      success: false,
      output:
        'Interrupted: the process ended while this call was running. It may have taken effect, in part or in full. Check before repeating it.',
      duration_ms: 0,
      cut: 'interrupted',
    })
  }
}

function fail(draft: TurnDraft, failure: Failure): undefined {
  const outcome: TurnOutcome = failure.kind === 'limit' ? 'limit' : 'failed'
  finish(draft, outcome, reportProgress(draft.state, failure.message), failure)
}
