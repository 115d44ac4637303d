import type { ApprovedPlan } from '../../schema/plan.ts'
import type { StepProgress, ToolCall } from '../../schema/turn-event.ts'
import { itemsFrom } from '../list.ts'
import type { TurnState } from './state.ts'

/** The tool with which an agent says how far it has come in the plan. The turn itself answers it. */
export const PLAN_STEP = 'plan_step'

/** How a plan begins: nothing is done, and what the person skipped stays skipped. */
export function initialSteps(plan: ApprovedPlan | undefined): StepProgress[] {
  const skipped = new Set(
    plan?.reviews.filter(({ decision }) => decision === 'skip').map(({ step_number }) => step_number),
  )
  return (plan?.plan.steps ?? []).map(({ step_number }) => ({
    step_number,
    status: skipped.has(step_number) ? 'skipped' : 'pending',
  }))
}

/** The change an agent reports, or why it is not believed: a step is done when something was observed in it. */
export function readStepReport(state: TurnState, { input }: ToolCall): StepProgress | { refused: string } {
  const { step_number, status, note } = input as unknown as StepProgress
  const step = state.steps.find((known) => known.step_number === step_number)
  if (!step) return { refused: `the plan has no step ${step_number}` }
  if (step.status === 'skipped') return { refused: `the person skipped step ${step_number}` }
  if (status === 'done') {
    const running = state.steps.find((known) => known.status === 'running')
    const seen = itemsFrom(state.observations, state.step_began).filter(({ tool }) => tool !== PLAN_STEP)
    if (running?.step_number !== step_number)
      return { refused: `step ${step_number} is not running; say so first` }
    if (!seen.some(({ success }) => success))
      return { refused: `nothing has succeeded in step ${step_number} yet` }
  }
  return { step_number, status, ...(note && { note }) }
}

export const describeSteps = (steps: readonly StepProgress[]): string =>
  steps
    .map(({ step_number, status, note }) => `${step_number} ${status}${note ? ` (${note})` : ''}`)
    .join(', ')
