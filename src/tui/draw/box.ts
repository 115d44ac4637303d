import { visibleWidth } from '@earendil-works/pi-tui'
import type { Block } from './block.ts'
import { fit, padTo } from './row.ts'
import { type Style, type Theme, oneLine } from './theme.ts'

export interface BoxOptions {
  title: string
  /** At the right end of the upper border. */
  note?: string
  style?: Style
  width: number
}

/** A frame around a block that is `width - 4` wide. */
export function box(
  theme: Theme,
  body: Block,
  { title, note = '', style = 'border', width }: BoxOptions,
): Block {
  const inner = Math.max(1, width - 4)
  const edge = (text: string) => theme.wrap(style, text)
  const lines = body.lines.map((line) => `${edge('│')} ${padTo(line, inner)} ${edge('│')}`)
  return {
    lines: [
      topEdge(theme, title, note, style, width),
      ...lines,
      edge(`╰${'─'.repeat(Math.max(0, width - 2))}╯`),
    ],
    hits: body.hits.map((hit) => ({ ...hit, row: hit.row + 1, from: hit.from + 2, to: hit.to + 2 })),
  }
}

function topEdge(theme: Theme, title: string, note: string, style: Style, width: number): string {
  const head = fit(oneLine(title), Math.max(0, width - 6))
  const rest = width - 5 - visibleWidth(head)
  const tail = rest > visibleWidth(oneLine(note)) + 4 && note ? ` ${oneLine(note)} ` : ''
  const dashes = '─'.repeat(Math.max(0, rest - visibleWidth(tail) - (tail ? 1 : 0)))
  const edge = (text: string) => theme.wrap(style, text)
  const named = theme.wrap('bold', theme.wrap(style === 'border' ? 'text' : style, head))
  return `${edge('╭─ ')}${named}${edge(` ${dashes}`)}${theme.wrap('dim', tail)}${edge(tail ? '─╮' : '╮')}`
}

/** How wide the inside of a box is. */
export const innerWidth = (width: number): number => Math.max(1, width - 4)
