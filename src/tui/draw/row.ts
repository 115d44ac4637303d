import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui'
import type { Action } from '../state/action.ts'
import type { Block, Hit } from './block.ts'
import { type Style, type Theme, oneLine } from './theme.ts'

export interface Piece {
  text: string
  style?: Style
  /** A second style on top, such as bold. */
  also?: Style
  action?: Action
}

/** One line of pieces; what does not fit is cut. */
export function row(theme: Theme, pieces: readonly Piece[], width: number): Block {
  let line = ''
  let column = 0
  const hits: Hit[] = []
  for (const { text, style = 'text', also, action } of pieces) {
    if (column >= width) break
    const safe = fit(oneLine(text), width - column)
    const from = column
    column += visibleWidth(safe)
    const painted = theme.wrap(style, safe)
    line += also ? theme.wrap(also, painted) : painted
    if (action && column > from) hits.push({ row: 0, from, to: column, action })
  }
  return { lines: [line], hits }
}

/** Left and right of one line. The left side gives way first; the right goes when there is no room for both. */
export function spread(theme: Theme, left: readonly Piece[], right: readonly Piece[], width: number): Block {
  const rightWidth = widthOf(right)
  const room = width - rightWidth - 1
  if (rightWidth === 0 || room < Math.min(12, widthOf(left))) return row(theme, left, width)
  const first = row(theme, left, room)
  const gap = width - visibleWidth(first.lines[0] ?? '') - rightWidth
  const second = row(theme, right, rightWidth)
  const start = width - rightWidth
  return {
    lines: [`${first.lines[0]}${' '.repeat(Math.max(0, gap))}${second.lines[0]}`],
    hits: [
      ...first.hits,
      ...second.hits.map((hit) => ({ ...hit, from: hit.from + start, to: hit.to + start })),
    ],
  }
}

export const widthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { text }) => sum + visibleWidth(oneLine(text)), 0)

/** Cut with an ellipsis. The text holds no styles. */
export const fit = (safe: string, width: number): string =>
  visibleWidth(safe) <= width ? safe : stripResets(truncateToWidth(safe, Math.max(0, width), '…'))

// Truncating puts resets around the ellipsis, which would end the style around the text.
const stripResets = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

export const padTo = (line: string, width: number): string =>
  line + ' '.repeat(Math.max(0, width - visibleWidth(line)))
