import { expect, test } from 'vitest'
import { cardOf, isExpanded, reduce } from './reduce.ts'
import { initialUi } from './ui-state.ts'

const ui = initialUi('dark')

test('an item is shown whole by itself, or folded while all are shown', () => {
  const one = reduce(ui, { type: 'toggle_item', id: 'a' })
  expect([isExpanded(one, 'a'), isExpanded(one, 'b')]).toEqual([true, false])
  const all = reduce(one, { type: 'toggle_all' })
  expect([isExpanded(all, 'a'), isExpanded(all, 'b')]).toEqual([true, true])
  expect(isExpanded(reduce(all, { type: 'toggle_item', id: 'a' }), 'a')).toBe(false)
})

test('what was seen of one card says nothing about the next', () => {
  const seen = reduce(ui, { type: 'scroll_card', pending_id: 'p1', lines: 3, width: 80, seen: true })
  expect(cardOf(seen, 'p1')).toMatchObject({ scroll: 3, seen: true })
  expect(cardOf(seen, 'p2')).toMatchObject({ scroll: 0, seen: false })
  const wider = reduce(seen, { type: 'scroll_card', pending_id: 'p1', lines: 2, width: 120, seen: false })
  expect(cardOf(wider, 'p1')).toMatchObject({ scroll: 2, width: 120 })
})

test('reaching the end of the transcript follows it again', () => {
  const up = reduce(ui, { type: 'scrolled', place: 3, line: 1, atEnd: false })
  expect(up.scroll).toEqual({ follow: false, place: 3, line: 1 })
  expect(reduce(up, { type: 'scroll_to', end: 'bottom' }).scroll).toEqual({ follow: true })
})
