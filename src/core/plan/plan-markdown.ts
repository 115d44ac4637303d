import type { PlanChange } from '../../schema/plan.ts'
import type { ChatPlan } from '../session/state.ts'

const describeChange = ({ kind, step_number, text }: PlanChange): string =>
  `${step_number === undefined ? '' : `step ${step_number} `}${kind}: ${text}`

const marks = { pending: ' ', running: '~', done: 'x', skipped: '-', failed: '!' } as const

/** A plan as people read it. */
export function planMarkdown({ plan, revision, status, steps, approvals, changes = [] }: ChatPlan): string {
  const lines = plan.steps.map(({ step_number, action, reason, tools_needed, estimated_time, files }) => {
    const progress = steps.find((step) => step.step_number === step_number)
    const details = [
      reason && `why: ${reason}`,
      tools_needed.length > 0 && `tools: ${tools_needed.join(', ')}`,
      files && `files: ${files.join(', ')}`,
      estimated_time && `time: ${estimated_time}`,
      progress?.note && `note: ${progress.note}`,
    ].filter(Boolean)
    return [
      `${step_number}. [${marks[progress?.status ?? 'pending']}] ${action}`,
      ...details.map((text) => `   - ${text}`),
    ].join('\n')
  })
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [`## ${title}`, items.map((item) => `- ${item}`).join('\n')] : []
  return [
    `# ${plan.goal}`,
    `Revision ${revision}, ${status}${plan.estimated_total_time ? `, about ${plan.estimated_total_time}` : ''}`,
    '## Steps',
    lines.join('\n'),
    ...list(`Changed since revision ${revision - 1}`, changes.map(describeChange)),
    ...list('Risks', plan.risks),
    ...list('Prerequisites', plan.prerequisites),
    ...list(
      'Additional instructions',
      approvals.flatMap(({ additions }) => additions ?? []),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
