import { type Cell, type CompareRow, type FileSide, compareDiffs } from '../../view/compare-diffs.ts'
import { type Block, crop, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { type Piece, fit, padTo, row } from '../draw/row.ts'
import { type Style, type Theme, oneLine } from '../draw/theme.ts'
import type { Candidate, CompareModal } from '../state/modal.ts'
import { type Key, type ModalStep, close, stay, wrapAround } from './modal-key.ts'

/** Narrower than this, one candidate is shown at a time. */
const SIDE_BY_SIDE = 72

export function drawCompare(
  theme: Theme,
  modal: CompareModal,
  size: { width: number; height: number },
): Block {
  const { width } = size
  const inner = innerWidth(width)
  const [left, right] = [modal.candidates[modal.left], modal.candidates[modal.right]]
  if (!left || !right) return textBlock([])
  const both = inner >= SIDE_BY_SIDE
  const column = both ? Math.floor((inner - 3) / 2) : inner
  const head = both
    ? row(
        theme,
        [...name(left, 'left', column), { text: ' │ ', style: 'border' }, ...name(right, 'right', column)],
        inner,
      )
    : row(theme, name(right, 'right', column), inner)
  const rows = rowsOf(left, right)
  const room = Math.max(1, size.height - 3)
  const from = Math.min(modal.scroll, Math.max(0, rows.length - room))
  const lines = rows
    .slice(from, from + room)
    .map((line) => (both ? pair(theme, line, column) : one(theme, line, column)))
  const below = rows.length - room - from
  const keys = modal.candidates.length > 2 ? '←→ right · Tab left · ' : ''
  return box(theme, stack(head, crop(textBlock(lines), 0, room)), {
    title: 'Side by side',
    note: `${below > 0 ? `${below} more lines ↓ · ` : ''}${keys}Esc back`,
    style: 'accent',
    width,
  })
}

export function compareKey(modal: CompareModal, { name: key }: Key): ModalStep {
  const { candidates, left, right } = modal
  const by = (lines: number) => {
    const [a, b] = [candidates[left], candidates[right]]
    const most = a && b ? rowsOf(a, b).length - 1 : 0
    return stay({ ...modal, scroll: Math.max(0, Math.min(modal.scroll + lines, most)) })
  }
  const next = (side: 'left' | 'right', step: number) => {
    const other = side === 'left' ? right : left
    let place = wrapAround(modal[side] + step, candidates.length)
    if (place === other) place = wrapAround(place + step, candidates.length)
    return stay({ ...modal, [side]: place === other ? modal[side] : place, scroll: 0 })
  }
  switch (key) {
    case 'up':
    case 'k':
      return by(-1)
    case 'down':
    case 'j':
      return by(1)
    case 'pageUp':
      return by(-10)
    case 'pageDown':
    case 'space':
      return by(10)
    case 'right':
    case 'next right':
      return next('right', 1)
    case 'left':
      return next('right', -1)
    case 'tab':
    case 'next left':
      return next('left', 1)
    case 'escape':
    case 'enter':
    case 'q':
      return modal.back ? stay(modal.back) : close()
    default:
      return stay(modal)
  }
}

function name({ agent, label }: Candidate, side: 'left' | 'right', width: number): Piece[] {
  const text = fit(oneLine(`${agent} ${label}`), width)
  const action = { type: 'modal_key', key: `next ${side}` } as const
  return [{ text: padTo(text, width), style: 'accent', also: 'bold', action }]
}

/** A WeakMap, because keys and the wheel ask for the same pair again and again. */
const compared = new WeakMap<Candidate, WeakMap<Candidate, CompareRow[]>>()

function rowsOf(left: Candidate, right: Candidate): CompareRow[] {
  const known = compared.get(left) ?? new WeakMap<Candidate, CompareRow[]>()
  const rows = known.get(right) ?? compareDiffs(left.diff ?? '', right.diff ?? '')
  compared.set(left, known.set(right, rows))
  return rows
}

function pair(theme: Theme, line: CompareRow, width: number): string {
  const edge = theme.wrap('border', ' │ ')
  switch (line.kind) {
    case 'file':
      return `${fileCell(theme, line.path, line.left, width)}${edge}${fileCell(theme, line.path, line.right, width)}`
    case 'gap':
      return `${theme.wrap('dim', padTo('⋯', width))}${edge}${theme.wrap('dim', '⋯')}`
    case 'lines':
      return `${cell(theme, line.left, width)}${edge}${cell(theme, line.right, width)}`
  }
}

function one(theme: Theme, line: CompareRow, width: number): string {
  if (line.kind === 'file') return fileCell(theme, line.path, line.right, width)
  return line.kind === 'gap' ? theme.wrap('dim', '⋯') : cell(theme, line.right, width)
}

function fileCell(theme: Theme, path: string, side: FileSide, width: number): string {
  const note = ` ${side === 'same' ? 'unchanged' : side}`
  const shown = fit(oneLine(path), Math.max(1, width - note.length))
  return padTo(`${theme.wrap('bold', shown)}${theme.wrap('dim', note)}`, width)
}

const styles: Record<Cell['sign'], Style> = { '+': 'added', '-': 'removed', ' ': 'dim', '': 'dim' }

function cell(theme: Theme, { sign, text }: Cell, width: number): string {
  return theme.wrap(styles[sign], padTo(fit(oneLine(`${sign || ' '}${text}`), width), width))
}
