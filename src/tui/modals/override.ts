import type { RunId } from '../../schema/ids.ts'
import type { OverrideCandidate, Pending } from '../../schema/pending.ts'
import { type Block, clickable, crop, shift, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { buttons } from '../draw/buttons.ts'
import { type Piece, spread } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { plainWords } from '../items/plain-words.ts'
import type { Action } from '../state/action.ts'
import type { OverrideModal } from '../state/modal.ts'
import type { ScenePending } from '../screen/scene.ts'
import { type Key, type ModalStep, clamp, close, stay } from './modal-key.ts'

type Offer = Extract<Pending, { kind: 'override' }>

export function overrideModal(offer: Offer): OverrideModal {
  const winner = offer.candidates.findIndex(({ agent }) => agent === offer.winner)
  return { kind: 'override', pending_id: offer.id, cursor: Math.max(0, winner) }
}

/** All agents' recent answers, with what speaks for each. */
export function drawOverride(
  theme: Theme,
  modal: OverrideModal,
  offer: Offer,
  size: { width: number; height: number },
): Block {
  const width = Math.min(size.width, 100)
  const inner = innerWidth(width)
  const drawn = offer.candidates.map((candidate, index) =>
    drawCandidate(theme, candidate, {
      chosen: index === modal.cursor,
      winner: candidate.agent === offer.winner,
      index,
      width: inner,
    }),
  )
  const row = buttons(
    theme,
    [
      { label: 'd diff', action: { type: 'modal_key', key: 'd' } },
      { label: 'w whole answer', action: { type: 'modal_key', key: 'w' } },
      { label: 'Enter present', action: { type: 'modal_key', key: 'enter' }, style: 'wait' },
      { label: 'Esc back', action: { type: 'modal_key', key: 'escape' } },
    ],
    -1,
    inner,
  )
  const room = Math.max(1, size.height - 2 - row.lines.length)
  const before = drawn.slice(0, modal.cursor).reduce((sum, { lines }) => sum + lines.length, 0)
  const body = stack(...drawn)
  const from = body.lines.length <= room ? 0 : Math.min(before, body.lines.length - room)
  const below = body.lines.length - room - from
  return box(theme, stack(crop(body, from, room), row), {
    title: 'Override the winner',
    note: below > 0 ? '↓ more' : from > 0 ? '↑ more' : '',
    style: 'wait',
    width,
  })
}

function drawCandidate(
  theme: Theme,
  { agent, label, votes, preview, evidence, added, removed, files }: OverrideCandidate,
  { chosen, winner, index, width }: { chosen: boolean; winner: boolean; index: number; width: number },
): Block {
  const count = `${votes} vote${votes === 1 ? '' : 's'}`
  const left: Piece[] = [
    { text: chosen ? '● ' : '○ ', style: 'accent' },
    { text: agent, ...(chosen && { style: 'selected' as const }), also: 'bold' },
    { text: ` ${label} (${winner ? 'winner, ' : ''}${count})`, style: 'dim' },
  ]
  const right: Piece[] = [
    ...evidence.map(({ name, status }): Piece => ({
      text: `${status === 'passed' ? '✔' : '✖'} ${name}  `,
      style: status === 'passed' ? 'success' : 'error',
    })),
    { text: files > 0 ? `+${added} −${removed}` : '', style: 'dim' },
  ]
  const text = wrapText(theme, 'dim', plainLines(preview), width - 4)
  const body = shift(textBlock(text.slice(0, 3)), 2)
  return clickable(
    stack(spread(theme, left, right, width), body),
    { type: 'modal_key', key: `go ${index}` },
    width,
  )
}

const plainLines = (text: string): string => text.trim().split('\n').map(plainWords).join('\n')

export function overrideKey(
  modal: OverrideModal,
  { stream }: ScenePending,
  offer: Offer,
  { name }: Key,
): ModalStep {
  const count = offer.candidates.length
  const [verb, number] = name.split(' ')
  if (verb === 'go') return stay({ ...modal, cursor: clamp(Number(number), count) })
  switch (name) {
    case 'up':
      return stay({ ...modal, cursor: clamp(modal.cursor - 1, count) })
    case 'down':
    case 'tab':
      return stay({ ...modal, cursor: clamp(modal.cursor + 1, count) })
    case 'w':
      return { modal, actions: readWhole(modal, offer, stream) }
    case 'd':
      return { modal, actions: compareWith(modal, offer, stream) }
    case 'escape':
      return close()
    case 'enter': {
      const agent = offer.candidates[modal.cursor]?.agent ?? offer.winner
      const answer =
        agent === offer.winner
          ? ({ kind: 'override', decision: 'continue' } as const)
          : ({ kind: 'override', decision: 'present', agent } as const)
      return close({ type: 'answer', stream, pending_id: offer.id, answer })
    }
    default:
      return stay(modal)
  }
}

function readWhole({ cursor }: OverrideModal, offer: Offer, stream: ScenePending['stream']): Action[] {
  const label = offer.candidates[cursor]?.label
  return label === undefined ? [] : [{ type: 'read_answer', run_id: stream as RunId, label }]
}

/** The winner, and beside it the one under the cursor, or the next when that is the winner. */
function compareWith({ cursor }: OverrideModal, offer: Offer, stream: ScenePending['stream']): Action[] {
  const { candidates, winner } = offer
  const chosen = candidates[cursor]
  const best = candidates.find(({ agent }) => agent === winner)
  const other = chosen?.agent === winner ? candidates.find(({ agent }) => agent !== winner) : chosen
  if (!best || !other) return [{ type: 'say', text: 'There is only one answer' }]
  return [{ type: 'compare', run_id: stream as RunId, labels: [best.label, other.label] }]
}
