import { type Block, crop, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { PageLine, PageModal } from '../state/modal.ts'
import { type Key, type ModalStep, close, stay } from './modal-key.ts'

export function drawPage(theme: Theme, modal: PageModal, size: { width: number; height: number }): Block {
  const width = Math.min(size.width, 110)
  const lines = modal.lines.flatMap((line) => wrapLine(theme, line, innerWidth(width)))
  const room = Math.max(1, size.height - 2)
  const from = Math.min(modal.scroll, Math.max(0, lines.length - room))
  const left = lines.length - room - from
  const note = left > 0 ? `${left} more lines ↓ · Esc closes` : 'Esc closes'
  return box(theme, crop(textBlock(lines), from, room), { title: modal.title, note, style: 'accent', width })
}

function wrapLine(theme: Theme, { text, style = 'text', hang = 0 }: PageLine, width: number): string[] {
  if (hang === 0 || width < hang + 20) return wrapText(theme, style, text, width)
  const rest = wrapText(theme, style, text.slice(hang), width - hang)
  return rest.map(
    (line, index) => (index === 0 ? theme.paint(style, text.slice(0, hang)) : ' '.repeat(hang)) + line,
  )
}

export function pageKey(modal: PageModal, { name }: Key): ModalStep {
  const by = (lines: number) =>
    stay({ ...modal, scroll: Math.max(0, Math.min(modal.scroll + lines, modal.lines.length)) })
  switch (name) {
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
    case 'escape':
    case 'enter':
    case 'q':
      return close()
    default:
      return stay(modal)
  }
}
