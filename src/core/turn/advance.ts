import { itemsFrom, lengthOf } from '../list.ts'
import { advanceSubtasks, dispatch } from './dispatch.ts'
import { GUARDRAIL_WINDOW, checkGuardrails } from './guardrails.ts'
import { describeUnfinished } from './plan-steps.ts'
import { type SettledCall, traitsOf } from './state.ts'
import {
  type TurnDraft,
  answerOf,
  enterNextPlanning,
  enterReflecting,
  finish,
  openGuidance,
} from './steps.ts'

/** Explicit reflections may send a finished turn back to work this often. */
const MAX_REWORKS = 2

/** Takes a turn as far as it can go without waiting for anybody. */
export function advance(draft: TurnDraft): void {
  for (const open of draft.state.open) advanceSubtasks(draft, open)
  dispatch(draft)
  const { phase, queue, open, settled, external } = draft.state
  if (queue.length > 0 || open.length > 0 || external) return
  if ((phase === 'Planning' || phase === 'Acting') && settled.length > 0) {
    const last = settled.find(({ call, success }) => success && traitsOf(draft.state, call.name).ends_turn)
    enterReflecting(draft)
    if (last) endBy(draft, last)
    else reflectOnObservations(draft)
  } else if (phase === 'Reflecting') reflectOnAnswer(draft)
}

/** The call was the agent's last word. */
function endBy(draft: TurnDraft, { call, output }: SettledCall): void {
  draft.emit({
    type: 'reflection.recorded',
    verdict: 'complete',
    reason: `${call.name} ends the turn`,
    by: 'rule',
  })
  finish(draft, 'complete', String(call.input['answer'] ?? output))
}

/** After calls: going on is the rule. An agent that goes in circles is made to think, and the second time asks a person. */
function reflectOnObservations(draft: TurnDraft): void {
  const { guidance, observations, guarded_from } = draft.state
  if (guidance.length > 0) return goOn(draft, 'the person gave guidance')
  const from = Math.max(guarded_from, lengthOf(observations) - GUARDRAIL_WINDOW)
  const tripped = checkGuardrails(itemsFrom(observations, from))
  if (!tripped) return goOn(draft, 'the calls are answered')
  draft.emit({ type: 'guardrail.tripped', ...tripped })
  if (draft.state.guardrails_tripped === 1) {
    draft.emit({ type: 'reflection.requested', cause: 'guardrail', detail: tripped.detail })
    return
  }
  draft.emit({ type: 'reflection.recorded', verdict: 'needs_person', reason: tripped.detail, by: 'rule' })
  openGuidance(draft, 'I am going in circles. What should I do differently?', tripped.detail)
}

function goOn(draft: TurnDraft, reason: string): void {
  draft.emit({ type: 'reflection.recorded', verdict: 'continue', reason, by: 'rule' })
  enterNextPlanning(draft)
}

/** After an answer: the turn is complete, unless a person spoke meanwhile or the work deserves a second look. */
function reflectOnAnswer(draft: TurnDraft): void {
  const { guidance, settings, changed, reworks, pendings, reflecting, steps } = draft.state
  if (pendings.length > 0 || reflecting) return
  if (guidance.length > 0) return goOn(draft, 'the person gave guidance')
  const detail = describeUnfinished(steps)
  const due = settings.reflect === 'always' || (settings.reflect === 'changed' && (changed || detail !== ''))
  if (due && reworks < MAX_REWORKS) {
    draft.emit({ type: 'reflection.requested', cause: 'finished', detail })
    return
  }
  draft.emit({ type: 'reflection.recorded', verdict: 'complete', reason: 'the agent answered', by: 'rule' })
  finish(draft, 'complete', answerOf(draft.state))
}
