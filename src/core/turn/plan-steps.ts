import type { ApprovedPlan } from '../../schema/plan.ts'
import type { StepProgress, ToolCall } from '../../schema/turn-event.ts'
import { itemsFrom, lengthOf } from '../list.ts'
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
  if (step.status === 'skipped') return { refused: `step ${step_number} is skipped` }
  if (status === 'done') {
    if (step.status !== 'running') return { refused: `step ${step_number} is not running; say so first` }
    if (!succeededSince(state, state.step_began))
      return { refused: `nothing has succeeded in step ${step_number} yet` }
  }
  return { step_number, status, ...(note && { note }) }
}

/** Results of this turn: those that are observations, then those of the reply that is being carried out. */
export const resultsSoFar = ({ observations, settled }: TurnState): number =>
  lengthOf(observations) + settled.length

function succeededSince({ observations, settled }: TurnState, from: number): boolean {
  const observed = itemsFrom(observations, from).map(({ tool, success }) => ({ tool, success }))
  const fresh = settled
    .slice(Math.max(0, from - lengthOf(observations)))
    .map(({ call, success }) => ({ tool: call.name, success }))
  return [...observed, ...fresh].some(({ tool, success }) => success && tool !== PLAN_STEP)
}

/**
 * Steps an agent finished without saying so: every tool they need has succeeded, on one of their files where they name
 * some. Marked as inferred, because that is what it is.
 */
export function inferDoneSteps({ settings, steps, observations }: TurnState): StepProgress[] {
  const seen = itemsFrom(observations, 0).filter(({ success }) => success)
  return (settings.plan?.plan.steps ?? []).flatMap(({ step_number, tools_needed, files }): StepProgress[] => {
    const open = steps.some((step) => step.step_number === step_number && step.status === 'pending')
    const tools = tools_needed.filter((name) => settings.tools.some((tool) => tool.name === name))
    const used = (name: string) =>
      seen.some(({ tool, files: written = [] }) => {
        if (tool !== name) return false
        return (
          !files ||
          written.length === 0 ||
          written.some(({ path }) => files.some((scope) => path.startsWith(scope)))
        )
      })
    if (!open || tools.length === 0 || !tools.every(used)) return []
    return [{ step_number, status: 'done', note: 'inferred from what succeeded' }]
  })
}

/** What is left of the plan, in words; nothing when every step came to an end. */
export function describeUnfinished(steps: readonly StepProgress[]): string {
  const left = steps.filter(({ status }) => status === 'pending' || status === 'running')
  return left.length > 0 ? `steps of the plan not reported as done: ${describeSteps(left)}` : ''
}

export const describeSteps = (steps: readonly StepProgress[]): string =>
  steps
    .map(({ step_number, status, note }) => `${step_number} ${status}${note ? ` (${note})` : ''}`)
    .join(', ')
