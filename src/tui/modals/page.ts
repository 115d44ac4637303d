import { crop, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { PageLine, PageModal } from '../state/modal.ts'
import { type DrawnModal, type Key, type ModalStep, clamp, close, stay } from './modal-key.ts'

export function drawPage(
  theme: Theme,
  modal: PageModal,
  size: { width: number; height: number },
): DrawnModal {
  const width = Math.min(size.width, 110)
  const lines = wrapLines(theme, modal.lines, innerWidth(width))
  const room = Math.max(1, size.height - 2)
  const most = Math.max(0, lines.length - room)
  const from = Math.min(modal.scroll, most)
  const left = lines.length - room - from
  const leave = modal.back ? 'Esc back' : width < 60 ? 'Esc' : 'Esc closes'
  const note = left > 0 ? `${left} more lines ↓ · ${leave}` : leave
  const page = crop(textBlock(lines), from, room)
  return { ...box(theme, page, { title: modal.title, note, style: 'accent', width }), most }
}

/** Output of a command may be megabytes: it is broken into lines once for a width, not at every key. */
const wrapped = new WeakMap<readonly PageLine[], { theme: Theme; width: number; lines: string[] }>()

function wrapLines(theme: Theme, source: readonly PageLine[], width: number): string[] {
  const known = wrapped.get(source)
  if (known?.theme === theme && known.width === width) return known.lines
  const lines = source.flatMap((line) => wrapLine(theme, line, width))
  wrapped.set(source, { theme, width, lines })
  return lines
}

function wrapLine(theme: Theme, { text, style = 'text', hang = 0 }: PageLine, width: number): string[] {
  if (hang === 0) return wrapText(theme, style, text, width)
  if (width < hang + 20)
    return [
      ...wrapText(theme, 'bold', text.slice(0, hang).trim(), width),
      ...wrapText(theme, style, text.slice(hang), Math.max(10, width - 2)).map((line) => `  ${line}`),
    ]
  const rest = wrapText(theme, style, text.slice(hang), width - hang)
  return rest.map(
    (line, index) => (index === 0 ? theme.paint(style, text.slice(0, hang)) : ' '.repeat(hang)) + line,
  )
}

export function pageKey(modal: PageModal, { name }: Key, most: number): ModalStep {
  const by = (lines: number) => stay({ ...modal, scroll: clamp(modal.scroll + lines, most + 1) })
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
    case 'home':
      return by(-Infinity)
    case 'end':
      return by(Infinity)
    case 'escape':
    case 'enter':
    case 'q':
      return modal.back ? stay(modal.back) : close()
    default:
      return stay(modal)
  }
}
