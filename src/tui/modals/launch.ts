import type { LaunchCard, Pending } from '../../schema/pending.ts'
import { crop, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { buttons } from '../draw/buttons.ts'
import { fieldLine } from '../draw/field-line.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { type Field, editField, fieldOf } from '../state/field.ts'
import type { LaunchModal } from '../state/modal.ts'
import { describeTokens } from '../screen/cost.ts'
import type { ScenePending } from '../screen/scene.ts'
import { type DrawnModal, type Key, type ModalStep, clamp, close, stay } from './modal-key.ts'

type Launch = Extract<Pending, { kind: 'run_approval' }>

export const launchModal = ({ id }: Launch): LaunchModal => ({
  kind: 'launch',
  pending_id: id,
  cursor: 0,
  scroll: 0,
})

const COLUMN = 10

/** What the interactive agent wants to launch: Approve, also in the background, Edit or Cancel. */
export function drawLaunch(
  theme: Theme,
  modal: LaunchModal,
  { launch }: Launch,
  size: { width: number; height: number },
): DrawnModal {
  const width = Math.min(size.width, 90)
  const inner = innerWidth(width)
  const list = modal.edit
    ? [
        { label: 'Launch', action: { type: 'modal_key', key: 'launch' } as const },
        { label: 'Back', action: { type: 'modal_key', key: 'escape' } as const },
      ]
    : [
        { label: 'Approve', action: { type: 'modal_key', key: 'approve' } as const },
        { label: 'Background', action: { type: 'modal_key', key: 'b' } as const },
        { label: 'Edit', action: { type: 'modal_key', key: 'e' } as const },
        { label: 'Cancel', action: { type: 'modal_key', key: 'cancel' } as const },
      ]
  const row = buttons(theme, list, modal.edit ? -1 : modal.cursor, inner)
  const body = textBlock([...(modal.edit ? editLines(theme, modal, inner) : cardLines(theme, launch, inner))])
  const room = Math.max(1, size.height - 2 - row.lines.length)
  const most = Math.max(0, body.lines.length - room)
  const from = Math.min(modal.scroll, most)
  const more = most - from
  const drawn = box(theme, stack(crop(body, from, room), row), {
    title: 'Launch a run?',
    note: more > 0 ? `${more} more lines ↓` : '',
    style: 'wait',
    width,
  })
  return { ...drawn, most }
}

function cardLines(theme: Theme, launch: LaunchCard, width: number): string[] {
  const { task, context, agents, team_mode, refinement, planning_mode, execute_after_planning, estimate } =
    launch
  const then = planning_mode ? `   plans only · then execute: ${execute_after_planning ? 'yes' : 'no'}` : ''
  const tokens = `${describeTokens(estimate.tokens[0])}–${describeTokens(estimate.tokens[1])} tokens`
  const money = estimate.usd
    ? `, $${estimate.usd[0].toFixed(2)}–${estimate.usd[1].toFixed(2)}`
    : ', price unknown'
  const rows: [string, string][] = [
    ['Task', task],
    ...(context ? ([['Context', context]] as [string, string][]) : []),
    ['Agents', `${agents.join(', ')}   ${team_mode} · refinement ${refinement ? 'on' : 'off'}${then}`],
    ['Estimate', `about ${estimate.calls[0]}–${estimate.calls[1]} calls, ${tokens}${money} (estimate)`],
  ]
  return rows.flatMap(([name, text]) =>
    wrapText(theme, 'text', text, width - COLUMN).map(
      (line, index) => theme.wrap('dim', (index === 0 ? name : '').padEnd(COLUMN)) + line,
    ),
  )
}

const fields = ['task', 'context', 'agents'] as const

function editLines(theme: Theme, { edit, cursor }: LaunchModal, width: number): string[] {
  if (!edit) return []
  const lines = fields.map(
    (name, index) =>
      theme.wrap(index === cursor ? 'accent' : 'dim', name.padEnd(COLUMN)) +
      fieldLine(theme, edit[name], width - COLUMN, index === cursor),
  )
  return [...lines, theme.wrap('dim', '↑↓ fields · Enter launches · Esc back')]
}

const choices = ['approve', 'b', 'e', 'cancel'] as const

const choiceOf = ({ cursor }: LaunchModal, { name }: Key): string | undefined =>
  name === 'enter' ? choices[cursor] : name

/** The key would start the run: not before anybody can have seen what it is. */
export const launches = (modal: LaunchModal, key: Key): boolean =>
  !modal.edit && ['approve', 'y', 'b'].includes(choiceOf(modal, key) ?? '')

export function launchKey(
  modal: LaunchModal,
  { stream }: ScenePending,
  pending: Launch,
  key: Key,
  most: number,
): ModalStep {
  if (modal.edit) return editKey(modal, stream, pending, key)
  const { launch, hash, id } = pending
  const answer = (value: Extract<Parameters<typeof close>[0], { type: 'answer' }>['answer']) =>
    close({ type: 'answer', stream, pending_id: id, answer: value })
  const name = choiceOf(modal, key)
  switch (name) {
    case 'approve':
    case 'y':
      return answer({ kind: 'run_approval', decision: 'approve', hash })
    case 'b':
      return answer({ kind: 'run_approval', decision: 'approve', hash, background: true })
    case 'cancel':
    case 'n':
      return answer({ kind: 'run_approval', decision: 'cancel' })
    case 'e': {
      const { task, context = '', agents } = launch
      const edit = { task: fieldOf(task), context: fieldOf(context), agents: fieldOf(agents.join(', ')) }
      return stay({ ...modal, edit, cursor: 0, scroll: 0 })
    }
    case 'left':
    case 'shift+tab':
      return stay({ ...modal, cursor: clamp(modal.cursor - 1, choices.length) })
    case 'right':
    case 'tab':
      return stay({ ...modal, cursor: clamp(modal.cursor + 1, choices.length) })
    case 'down':
    case 'pageDown':
      return stay({ ...modal, scroll: clamp(modal.scroll + 1, most + 1) })
    case 'up':
    case 'pageUp':
      return stay({ ...modal, scroll: Math.max(0, modal.scroll - 1) })
    case 'escape':
      return close()
    default:
      return stay(modal)
  }
}

function editKey(
  modal: LaunchModal,
  stream: ScenePending['stream'],
  { id }: Launch,
  { name, text }: Key,
): ModalStep {
  const { edit, ...rest } = modal
  if (!edit || name === 'escape') return stay({ ...rest, cursor: 0 })
  switch (name) {
    case 'up':
    case 'shift+tab':
      return stay({ ...modal, cursor: clamp(modal.cursor - 1, fields.length) })
    case 'down':
    case 'tab':
      return stay({ ...modal, cursor: clamp(modal.cursor + 1, fields.length) })
    case 'enter':
    case 'launch': {
      const agents = edit.agents.text.split(/[\s,]+/).filter(Boolean)
      const edited = { task: edit.task.text, context: edit.context.text, agents }
      return close({
        type: 'answer',
        stream,
        pending_id: id,
        answer: { kind: 'run_approval', decision: 'edit', edited },
      })
    }
  }
  const current = fields[modal.cursor] ?? 'task'
  const field: Field | undefined = editField(edit[current], name, text)
  return stay(field ? { ...modal, edit: { ...edit, [current]: field } } : modal)
}
