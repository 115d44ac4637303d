import { itemsFrom } from '../list.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { Question } from '../../schema/question.ts'
import type { ToolCall } from '../../schema/turn-event.ts'
import type { TurnState } from './state.ts'

/** Agents of a team put questions to each other or to the person with it. */
export const ASK_OTHERS = 'ask_others'

/** Questions one agent may ask in a run, or, where the person answers, in a turn. */
export const MAX_QUESTIONS = 3

const DECIDE = 'decide_yourself'

/** The question a person is asked. Nobody has to know the answer. */
export const questionOf = ({ input }: ToolCall): Question => ({
  question: String(input['question'] ?? ''),
  severity: 'minor',
  options: [{ label: 'Decide yourself', value: DECIDE }],
  default: DECIDE,
})

/** What the agent reads of the person's answer. */
export function answerText({ value, text }: Extract<PendingAnswer, { kind: 'question' }>): string {
  const said = text?.trim() ? text : value === DECIDE ? '' : value
  return said
    ? `The person answers: ${said}`
    : 'The person leaves it to you. Decide yourself and say what you assumed.'
}

/** Why no further question may be put to the person in this turn. */
export function refuseQuestion({ observations, settled }: TurnState): string | undefined {
  const asked = [
    ...itemsFrom(observations, 0).map(({ tool, success }) => tool === ASK_OTHERS && success),
    ...settled.map(({ call, success }) => call.name === ASK_OTHERS && success),
  ]
  return asked.filter(Boolean).length < MAX_QUESTIONS
    ? undefined
    : `Not asked: you have asked ${MAX_QUESTIONS} questions. Decide yourself and say what you assume.`
}
