import type { Action } from '../state/action.ts'
import { type Block, stack } from './block.ts'
import { type Piece, row, widthOf } from './row.ts'
import type { Style, Theme } from './theme.ts'

export interface Button {
  label: string
  action: Action
  style?: Style
}

/** Buttons to the right; in as many rows as they need. */
export function buttons(theme: Theme, list: readonly Button[], selected: number, width: number): Block {
  const rows: Piece[][] = [[]]
  for (const [index, { label, action, style = 'text' }] of list.entries()) {
    const chosen = index === selected
    const button: Piece = {
      text: `${chosen ? '▸' : ' '}[ ${label} ]`,
      style: chosen ? 'selected' : style,
      ...(chosen && { also: 'bold' as const }),
      action,
    }
    const last = rows.at(-1) ?? []
    if (last.length > 0 && widthOf(last) + widthOf([button]) + 2 > width) rows.push([button])
    else last.push(...(last.length > 0 ? [{ text: '  ' }] : []), button)
  }
  return stack(
    ...rows.map((pieces) =>
      row(theme, [{ text: ' '.repeat(Math.max(0, width - widthOf(pieces))) }, ...pieces], width),
    ),
  )
}
