import type { ChatPlan } from '../../core/session/state.ts'
import type { StepReview } from '../../schema/plan.ts'
import { editField, fieldOf } from '../state/field.ts'
import type { PlanModal } from '../state/modal.ts'
import { planButtons } from './plan.ts'
import { type Key, type ModalStep, clamp, close, stay } from './modal-key.ts'

export function planKey(modal: PlanModal, plan: ChatPlan, key: Key): ModalStep {
  const { steps } = plan.plan
  if (modal.writing) return writingKey(modal, plan, key)
  const count = steps.length + 1 + planButtons.length
  const go = (cursor: number) => stay({ ...modal, cursor: clamp(cursor, count) })
  const [verb, number] = key.name.split(' ')
  if (verb === 'press') return press(modal, Number(number))
  if (verb === 'go') return go(Number(number))
  const onAdditions = modal.cursor === steps.length
  switch (key.name) {
    case 'escape':
      return close()
    case 'up':
    case 'shift+tab':
      return go(modal.cursor - 1)
    case 'down':
    case 'tab':
      return go(modal.cursor + 1)
    case 'enter':
      return modal.cursor <= steps.length
        ? go(steps.length + 1)
        : press(modal, modal.cursor - steps.length - 1)
    case 'left':
    case 'right':
      if (modal.cursor > steps.length)
        return go(Math.max(steps.length + 1, modal.cursor + (key.name === 'left' ? -1 : 1)))
  }
  if (onAdditions) {
    const additions = editField(modal.additions, key.name, key.text)
    return stay(additions ? { ...modal, additions } : modal)
  }
  return stepKey(modal, plan, key)
}

function stepKey(modal: PlanModal, plan: ChatPlan, { name }: Key): ModalStep {
  const step = plan.plan.steps[modal.cursor]
  if (!step) return stay(modal)
  const review = modal.reviews[step.step_number]
  switch (name) {
    case 'e':
      return stay({ ...modal, writing: { what: 'edit', field: fieldOf(review?.edit ?? step.action) } })
    case 'c':
      return stay({ ...modal, writing: { what: 'comment', field: fieldOf(review?.comment ?? '') } })
    case 's':
    case 'space':
      return stay(
        withReview(modal, step.step_number, { decision: review?.decision === 'skip' ? 'approve' : 'skip' }),
      )
    default:
      return stay(modal)
  }
}

function writingKey(modal: PlanModal, plan: ChatPlan, { name, text }: Key): ModalStep {
  const { writing, ...rest } = modal
  const step = plan.plan.steps[modal.cursor]
  if (!writing || !step || name === 'escape') return stay(rest)
  if (name === 'enter') {
    const said = writing.field.text.trim()
    const empty = said === '' || (writing.what === 'edit' && said === step.action)
    return stay(withReview(rest, step.step_number, { [writing.what]: empty ? undefined : said }))
  }
  const field = editField(writing.field, name, text)
  return stay(field ? { ...modal, writing: { ...writing, field } } : modal)
}

function press(modal: PlanModal, button: number): ModalStep {
  switch (planButtons[button]) {
    case 'Execute plan':
      return { modal, actions: [{ type: 'execute_plan' }] }
    case 'Revise with comments':
      return { modal, actions: [{ type: 'revise_plan' }] }
    case 'Reject':
      return { modal, actions: [{ type: 'reject_plan' }] }
    default:
      return close()
  }
}

function withReview(modal: PlanModal, step_number: number, change: Partial<StepReview>): PlanModal {
  const before: StepReview = modal.reviews[step_number] ?? { step_number, decision: 'approve' }
  const { edit, comment, decision } = { ...before, ...change }
  const review: StepReview = {
    step_number,
    decision,
    ...(edit !== undefined && { edit }),
    ...(comment !== undefined && { comment }),
  }
  return { ...modal, reviews: { ...modal.reviews, [step_number]: review } }
}
