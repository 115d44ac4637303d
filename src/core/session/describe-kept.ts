import type { KeptFacts, KeptPlan } from '../../schema/compaction.ts'

/** The same words for the model and for a person who looks at what was summarised. */
export function describeKept({ agent_mode, plan, pendings, runs }: KeptFacts): string {
  return [
    `State of this chat when its earlier part was summarised, kept by Conclave word for word. What was said later goes first.`,
    `Mode: ${agent_mode}`,
    plan ? describePlan(plan) : '',
    list(
      'Waiting for the person:',
      pendings.map(({ id, text }) => `- ${id}: ${text}`),
    ),
    list(
      'Runs so far:',
      runs.map(({ run_id, line, log }) => `- ${run_id}: ${line} (log: ${log})`),
    ),
  ]
    .filter(Boolean)
    .join('\n')
}

function describePlan({
  plan_id,
  revision,
  status,
  directory,
  plan,
  steps,
  additions,
  reviews,
}: KeptPlan): string {
  const lines = plan.steps.map(({ step_number, action }) => {
    const progress = steps.find((step) => step.step_number === step_number)
    const review = reviews?.find((known) => known.step_number === step_number)
    const state = review?.decision === 'skip' ? 'skipped by the person' : (progress?.status ?? 'pending')
    const comment = review?.comment ? `; the person says: ${review.comment}` : ''
    const note = progress?.note ? `; ${progress.note}` : ''
    return `${step_number}. [${state}] ${review?.edit ?? action}${note}${comment}`
  })
  return [
    `Plan ${plan_id}, revision ${revision}, ${status} (kept in ${directory}): ${plan.goal}`,
    ...lines,
    ...(additions ? [`Additional instructions from the person: ${additions}`] : []),
  ].join('\n')
}

const list = (title: string, lines: readonly string[]): string =>
  lines.length > 0 ? [title, ...lines].join('\n') : ''
