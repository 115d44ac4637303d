import type { ChatPlan } from '../../core/session/state.ts'
import type { PlanStep, StepReview } from '../../schema/plan.ts'
import { type Block, clickable, crop, shift, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { buttons } from '../draw/buttons.ts'
import { fieldLine } from '../draw/field-line.ts'
import { row, spread } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { PlanModal } from '../state/modal.ts'
import { emptyField } from '../state/field.ts'

/** The buttons, in the order they are drawn; their cursors follow the steps and the additions. */
export const planButtons = ['Execute plan', 'Revise with comments', 'Keep planning', 'Reject'] as const

export const planModal = ({ plan_id, revision }: ChatPlan): PlanModal => ({
  kind: 'plan',
  plan_id,
  revision,
  cursor: 0,
  reviews: {},
  additions: emptyField,
  scroll: 0,
})

export function drawPlan(
  theme: Theme,
  modal: PlanModal,
  plan: ChatPlan,
  size: { width: number; height: number },
): Block {
  const width = Math.min(size.width, 110)
  const inner = innerWidth(width)
  const { steps, risks, prerequisites, estimated_total_time, goal } = plan.plan
  const drawn = steps.map((step, index) => drawStep(theme, modal, step, { index, width: inner }))
  const about = [
    risks.length > 0 ? `Risks: ${risks.join('; ')}` : '',
    `Needs: ${prerequisites.length > 0 ? prerequisites.join('; ') : 'nothing'}`,
    estimated_total_time ? `est. ${estimated_total_time}` : '',
  ].filter(Boolean)
  const changed = (plan.changes ?? []).map(({ text }) => text).join('; ')
  const rest = textBlock([
    ...wrapText(theme, 'dim', about.join('     '), inner),
    ...(changed ? wrapText(theme, 'dim', `changed since r${plan.revision - 1}: ${changed}`, inner) : []),
  ])
  const writingHere = modal.cursor === steps.length && !modal.writing
  const label = 'Additional instructions '
  const additions = clickable(
    textBlock([
      `${theme.wrap(writingHere ? 'accent' : 'dim', label)}${fieldLine(theme, modal.additions, inner - label.length, writingHere)}`,
    ]),
    { type: 'modal_key', key: `go ${steps.length}` },
    inner,
  )
  const row = buttons(
    theme,
    planButtons.map((name, index) => ({ label: name, action: { type: 'modal_key', key: `press ${index}` } })),
    modal.cursor - steps.length - 1,
    inner,
  )
  const foot = stack(additions, row)
  const scrolled = windowed(drawn, rest, modal, Math.max(1, size.height - 2 - foot.lines.length))
  return box(theme, stack(scrolled, foot), {
    title: `Plan r${plan.revision} · ${goal}`,
    note: plan.directory,
    style: 'plan',
    width,
  })
}

/** The step under the cursor is always visible. */
function windowed(steps: readonly Block[], rest: Block, modal: PlanModal, room: number): Block {
  const body = stack(...steps, rest)
  if (body.lines.length <= room) return body
  const before = steps.slice(0, modal.cursor).reduce((sum, { lines }) => sum + lines.length, 0)
  const here = steps[modal.cursor]?.lines.length ?? rest.lines.length
  const from = Math.max(0, Math.min(before - 1, before + here - room, body.lines.length - room))
  return crop(
    body,
    modal.cursor >= steps.length ? body.lines.length - room : Math.max(from, before + here - room, 0),
    room,
  )
}

function drawStep(
  theme: Theme,
  modal: PlanModal,
  step: PlanStep,
  { index, width }: { index: number; width: number },
): Block {
  const review = modal.reviews[step.step_number]
  const chosen = index === modal.cursor
  const left = [
    { text: chosen ? '▸' : ' ', style: 'accent' as const },
    {
      text: `${step.step_number} ${markOf(review)} `,
      style: review?.decision === 'skip' ? ('disabled' as const) : ('plan' as const),
    },
    {
      text: review?.edit ?? step.action,
      style:
        review?.decision === 'skip'
          ? ('disabled' as const)
          : chosen
            ? ('selected' as const)
            : ('text' as const),
    },
  ]
  const tools = step.tools_needed.join(', ')
  const head = clickable(
    spread(theme, left, width > 70 ? [{ text: tools, style: 'dim' }] : [], width),
    { type: 'modal_key', key: `go ${index}` },
    width,
  )
  const why = wrapText(theme, 'dim', `why: ${step.reason}`, width - 5)
  const comment = review?.comment ? wrapText(theme, 'wait', `comment: ${review.comment}`, width - 5) : []
  const writing =
    chosen && modal.writing
      ? [
          `${theme.wrap('accent', `${modal.writing.what}: `)}${fieldLine(theme, modal.writing.field, width - 14, true)}`,
        ]
      : []
  const hint =
    chosen && !modal.writing
      ? row(theme, [{ text: 'e edit · c comment · s skip', style: 'dim' }], width - 5)
      : textBlock([])
  return stack(head, shift(stack(textBlock([...why, ...comment, ...writing]), hint), 5))
}

function markOf(review: StepReview | undefined): string {
  if (!review) return '✓'
  if (review.decision === 'skip') return '–'
  return review.edit !== undefined || review.comment !== undefined ? '✎' : '✓'
}
