import type { Failure } from '../../schema/failure.ts'
import type { ToolCall, TurnEvent, TurnOutcome } from '../../schema/turn-event.ts'
import type { Draft } from '../aggregate.ts'
import { observe } from './observe.ts'
import { isOver } from './phases.ts'
import { inferDoneSteps } from './plan-steps.ts'
import type { TurnState } from './state.ts'
import { plural, reportProgress } from './summary.ts'

/** How many iterations a turn has when nobody says otherwise, and how many more it gets when a person lets it go on. */
export const DEFAULT_ITERATIONS = 15

/** The moves a decision is made of. */
export type TurnDraft = Draft<TurnState, TurnEvent>

export function enter(draft: TurnDraft, phase: 'Acting' | 'Observing' | 'Reflecting'): void {
  draft.emit({ type: 'phase.entered', phase, iteration: draft.state.iteration })
}

/** Records what came of the calls, and turns to reflecting. */
export function enterReflecting(draft: TurnDraft): void {
  const { settled, phase } = draft.state
  if (settled.length > 0 || phase === 'Acting') {
    enter(draft, 'Observing')
    for (const call of settled) draft.emit({ type: 'observation.recorded', observation: observe(call) })
  }
  enter(draft, 'Reflecting')
}

/** Goes round once more, taking up what the person said meanwhile; past a limit the turn ends with a report. */
export function enterNextPlanning(draft: TurnDraft): void {
  const { iteration, guidance, settings, queue } = draft.state
  if (iteration >= settings.max_iterations && settings.on_limit === 'ask') {
    const question = `I have taken ${plural(iteration, 'iteration')}. Shall I go on?`
    openGuidance(draft, question, reportProgress(draft.state, ''), { extends: DEFAULT_ITERATIONS })
    return
  }
  const limit = findLimit(draft.state)
  if (limit) return endByLimit(draft, limit)
  draft.emit({
    type: 'phase.entered',
    phase: 'Planning',
    iteration: iteration + 1,
    // Between a reply's calls and their results nothing may be said; it is said after them.
    ...(guidance.length > 0 && queue.length === 0 && { guidance: [...guidance] }),
  })
}

export function endByLimit(draft: TurnDraft, limit: string): void {
  const message = `Stopped by a limit: ${limit}.`
  const failure: Failure = { kind: 'limit', message, hint: 'continue the chat to go on, or raise the limit' }
  finish(draft, 'limit', reportProgress(draft.state, message), failure)
}

function findLimit({ iteration, settings, usage }: TurnState): string | undefined {
  const { max_iterations, max_tokens, max_usd } = settings
  if (iteration >= max_iterations) return `${plural(iteration, 'iteration')} in one turn (--max-iterations)`
  const tokens = usage.input_tokens + usage.output_tokens
  if (max_tokens !== undefined && tokens >= max_tokens) return `${tokens} tokens used (--max-tokens)`
  const cost = usage.cost_usd
  if (max_usd !== undefined && cost !== undefined && cost >= max_usd)
    return `$${cost.toFixed(2)} spent (--max-budget-usd)`
  return undefined
}

/** Ends a call that never ran. */
export function finishCall(draft: TurnDraft, call: ToolCall, output: string): void {
  draft.emit({
    type: 'tool.finished',
    call_id: call.id,
    success: false,
    output,
    duration_ms: 0,
    cut: 'not_run',
  })
}

export function openGuidance(
  draft: TurnDraft,
  question: string,
  context: string,
  more: { extends?: number } = {},
): void {
  draft.emit({
    type: 'pending.opened',
    pending: { id: nextPendingId(draft.state), kind: 'guidance', question, context, ...more },
  })
}

export const nextPendingId = (state: TurnState): string => `${state.turn_id}:${state.pendings_opened + 1}`

/** Ends the turn. What was still open gets a result, so that the conversation can be continued by any model. */
export function finish(draft: TurnDraft, outcome: TurnOutcome, answer: string, failure?: Failure): void {
  if (isOver(draft.state.phase)) return
  for (const call of draft.state.queue) finishCall(draft, call, 'Not run: the turn ended first.')
  for (const { call } of draft.state.open) {
    draft.emit({
      type: 'tool.finished',
      call_id: call.id,
      success: false,
      output: 'Interrupted: the turn ended while this call was running. It may have taken effect in part.',
      duration_ms: 0,
      cut: 'interrupted',
    })
  }
  if (outcome === 'complete') {
    for (const step of inferDoneSteps(draft.state)) draft.emit({ type: 'plan.step_changed', ...step })
  }
  const phase = outcome === 'complete' ? 'Complete' : 'Failed'
  draft.emit(
    { type: 'phase.entered', phase, iteration: draft.state.iteration },
    { type: 'turn.finished', outcome, answer, ...(failure && { failure }) },
  )
}

export const answerOf = (state: TurnState): string =>
  state.draft.trim() ? state.draft : reportProgress(state, 'Done.')
