import type { StepReview } from '../../schema/plan.ts'
import type { App } from '../app.ts'
import type { PlanModal } from '../state/modal.ts'
import { report } from './report.ts'

/** "Execute plan": this revision, with what the person wrote about its steps, in Act mode. */
export async function executePlan(app: App): Promise<void> {
  const { modal, chat, roster } = parts(app)
  if (!modal || !chat || !roster) return
  const additions = modal.additions.text.trim()
  const { plan_id, revision } = modal
  app.dispatch({ type: 'close_modal' }, { type: 'scroll_to', end: 'bottom' })
  const result = await app.session?.execute({
    type: 'execute_plan',
    chat_id: chat,
    plan_id,
    revision,
    ...(additions && { additions }),
    reviews: reviewsOf(modal),
    by: 'terminal',
    agent_id: app.scene.mode.active_agent ?? roster.agents[0]?.id ?? 'agent',
    settings: roster.settings,
  })
  report(app, result)
}

/** What the person said about the plan goes to the planner as a message. In Act mode it would be carried out. */
export async function revisePlan(app: App): Promise<void> {
  const { modal, chat } = parts(app)
  if (!modal || !chat) return
  const words = describeReviews(modal)
  app.dispatch({ type: 'close_modal' })
  if (words === '') {
    app.dispatch({ type: 'say', text: 'Say below what should be different, then press Enter' })
    return
  }
  if (app.view.config.agent_mode !== 'Plan') {
    const planning = { type: 'set_agent_mode', chat_id: chat, agent_mode: 'Plan' } as const
    const result = await app.session?.execute(planning)
    report(app, result)
    if (!result?.accepted) return
  }
  app.dispatch({ type: 'submit', text: `Please revise the plan:\n${words}` })
}

export async function rejectPlan(app: App): Promise<void> {
  const { modal, chat } = parts(app)
  if (!modal || !chat) return
  const { plan_id, revision } = modal
  app.dispatch({ type: 'close_modal' })
  report(app, await app.session?.execute({ type: 'reject_plan', chat_id: chat, plan_id, revision }))
}

function parts(app: App) {
  const { modal } = app.ui
  return {
    modal: modal?.kind === 'plan' ? modal : undefined,
    chat: app.session?.chat,
    roster: app.host?.roster,
  }
}

const reviewsOf = ({ reviews }: PlanModal): StepReview[] => Object.values(reviews)

function describeReviews(modal: PlanModal): string {
  const lines = reviewsOf(modal).flatMap(({ step_number, decision, edit, comment }) => [
    ...(decision === 'skip' ? [`- step ${step_number}: leave it out`] : []),
    ...(edit === undefined ? [] : [`- step ${step_number} should be: ${edit}`]),
    ...(comment === undefined ? [] : [`- step ${step_number}: ${comment}`]),
  ])
  return [...lines, modal.additions.text.trim()].filter(Boolean).join('\n')
}
