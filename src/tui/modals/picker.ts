import { type Block, clickable, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { fieldLine } from '../draw/field-line.ts'
import { fit, spread } from '../draw/row.ts'
import { type Theme, oneLine } from '../draw/theme.ts'
import type { Action } from '../state/action.ts'
import { editField } from '../state/field.ts'
import type { PickerItem, PickerModal } from '../state/modal.ts'
import { type Key, type ModalStep, clamp, close, stay, wrapAround } from './modal-key.ts'

export function drawPicker(theme: Theme, modal: PickerModal, size: { width: number; height: number }): Block {
  const width = Math.min(size.width, 90)
  const inner = innerWidth(width)
  // The label matters most.
  const noteRoom = Math.floor(inner * 0.5)
  const found = matching(modal)
  const room = Math.max(1, Math.min(found.length, size.height - 5))
  const from = Math.max(0, Math.min(modal.cursor - Math.floor(room / 2), found.length - room))
  const rows = found.slice(from, from + room).map((item, index) => {
    const chosen = from + index === modal.cursor
    const left = [
      { text: chosen ? '▸ ' : '  ' },
      { text: item.label, ...(chosen && { style: 'selected' as const }) },
    ]
    const line = spread(theme, left, [{ text: fit(oneLine(item.note ?? ''), noteRoom), style: 'dim' }], inner)
    return clickable(line, { type: 'modal_key', key: `pick ${from + index}` }, inner)
  })
  const query = textBlock([
    `${theme.wrap('accent', '❯ ')}${fieldLine(theme, modal.query, inner - 2, true)}`,
    '',
  ])
  const body =
    found.length > 0 ? stack(query, ...rows) : stack(query, textBlock([theme.paint('dim', modal.empty)]))
  return box(theme, body, { title: modal.title, note: 'Enter picks · Esc closes', style: 'accent', width })
}

export function pickerKey(modal: PickerModal, { name, text }: Key): ModalStep {
  const found = matching(modal)
  const clicked = /^pick (\d+)$/.exec(name)
  if (clicked) return pick(found[Number(clicked[1])])
  switch (name) {
    case 'escape':
      return close()
    case 'enter':
      return found.length > 0 ? pick(found[modal.cursor]) : stay(modal)
    case 'up':
      return stay({ ...modal, cursor: wrapAround(modal.cursor - 1, found.length) })
    case 'down':
    case 'tab':
      return stay({ ...modal, cursor: wrapAround(modal.cursor + 1, found.length) })
    case 'pageUp':
      return stay({ ...modal, cursor: clamp(modal.cursor - 10, found.length) })
    case 'pageDown':
      return stay({ ...modal, cursor: clamp(modal.cursor + 10, found.length) })
  }
  const query = editField(modal.query, name, text)
  if (!query) return stay(modal)
  const actions: Action[] = modal.searches ? [{ type: 'search_chats', query: query.text }] : []
  return { modal: { ...modal, query, cursor: 0 }, actions }
}

const pick = (item: PickerItem | undefined): ModalStep => close(...(item ? [item.action] : []))

/** What fits among those listed, then what a search for the same words found besides. */
function matching({ items, query, found }: PickerModal): readonly PickerItem[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  const fitting = items.filter(({ label, note = '' }) => {
    const text = `${label} ${note}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (found?.query !== query.text) return fitting
  const listed = new Set(fitting.map(({ action }) => JSON.stringify(action)))
  return [...fitting, ...found.items.filter(({ action }) => !listed.has(JSON.stringify(action)))]
}
