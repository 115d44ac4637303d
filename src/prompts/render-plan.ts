import type { ApprovedPlan } from '../schema/plan.ts'

/** The approved plan as the agent that carries it out reads it. The person's own words are passed on verbatim. */
export function renderPlan({ plan, reviews, additions, directory }: ApprovedPlan): string {
  const steps = plan.steps.map(({ step_number, action, reason, tools_needed, files }) => {
    const review = reviews.find((known) => known.step_number === step_number)
    if (review?.decision === 'skip') return `${step_number}. SKIPPED by the person, do not do it: ${action}`
    return [
      `${step_number}. ${review?.edit ?? action}`,
      ...(reason ? [`   why: ${reason}`] : []),
      ...(tools_needed.length > 0 ? [`   tools: ${tools_needed.join(', ')}`] : []),
      ...(files ? [`   files: ${files.join(', ')}`] : []),
      ...(review?.comment ? [`   the person says: ${review.comment}`] : []),
    ].join('\n')
  })
  return [
    `The person approved this plan (kept in ${directory}). Execute it now, step by step; report each step with plan_step.`,
    `Goal: ${plan.goal}`,
    steps.join('\n'),
    ...(additions ? [`Additional instructions from the person:\n${additions}`] : []),
  ].join('\n\n')
}
