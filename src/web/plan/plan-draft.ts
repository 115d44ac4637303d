import type { StepReview } from '../../schema/plan.ts'

/** What a person has written about a plan and not sent yet. */
export interface PlanDraft {
  additions: string
  steps: Readonly<Record<number, StepDraft>>
}

export interface StepDraft {
  skip?: boolean
  edit?: string
  comment?: string
}

export const emptyDraft: PlanDraft = { additions: '', steps: {} }

export const planKey = ({ plan_id, revision }: { plan_id: string; revision: number }): string =>
  `${plan_id}:${revision}`

export function changeStep(draft: PlanDraft, step_number: number, change: StepDraft): PlanDraft {
  return { ...draft, steps: { ...draft.steps, [step_number]: { ...draft.steps[step_number], ...change } } }
}

/** Only what the person touched: a step without a review is approved as it is. */
export function reviewsOf({ steps }: PlanDraft): StepReview[] {
  return touched(steps).map(([step_number, { skip, edit, comment }]) => ({
    step_number,
    decision: skip ? 'skip' : 'approve',
    ...(edit?.trim() && { edit: edit.trim() }),
    ...(comment?.trim() && { comment: comment.trim() }),
  }))
}

/** The draft as words for the agent that wrote the plan. */
export function revisionRequest({ steps, additions }: PlanDraft): string {
  const lines = touched(steps).flatMap(([number, { skip, edit, comment }]) => [
    ...(skip ? [`- Step ${number}: leave it out.`] : []),
    ...(edit?.trim() ? [`- Step ${number} should read: ${edit.trim()}`] : []),
    ...(comment?.trim() ? [`- Step ${number}: ${comment.trim()}`] : []),
  ])
  return ['Revise the plan:', ...lines, ...(additions.trim() ? [`- ${additions.trim()}`] : [])].join('\n')
}

export const isTouched = (draft: PlanDraft): boolean =>
  touched(draft.steps).length > 0 || draft.additions.trim() !== ''

function touched(steps: PlanDraft['steps']): [number, StepDraft][] {
  return Object.entries(steps)
    .map(([number, step]): [number, StepDraft] => [Number(number), step])
    .filter(([, { skip, edit, comment }]) => skip || edit?.trim() || comment?.trim())
}
