import { type Block, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { buttons } from '../draw/buttons.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { ConfirmModal } from '../state/modal.ts'
import { type Key, type ModalStep, close, stay } from './modal-key.ts'

export function drawConfirm(theme: Theme, modal: ConfirmModal, size: { width: number }): Block {
  const width = Math.min(size.width, 72)
  const inner = innerWidth(width)
  const body = textBlock(modal.lines.flatMap((line) => wrapText(theme, 'text', line, inner)))
  const row = buttons(
    theme,
    [
      { label: modal.yes.label, action: { type: 'modal_key', key: 'y' }, style: 'wait' },
      { label: modal.no, action: { type: 'modal_key', key: 'n' } },
    ],
    modal.cursor,
    inner,
  )
  return box(theme, stack(body, textBlock(['']), row), { title: modal.title, style: 'wait', width })
}

export function confirmKey(modal: ConfirmModal, { name }: Key): ModalStep {
  switch (name) {
    case 'y':
      return close(modal.yes.action)
    case 'n':
    case 'escape':
      return close()
    case 'enter':
      return modal.cursor === 0 ? close(modal.yes.action) : close()
    case 'left':
    case 'right':
    case 'tab':
    case 'shift+tab':
      return stay({ ...modal, cursor: 1 - modal.cursor })
    default:
      return stay(modal)
  }
}
