import { expect, test } from 'vitest'
import type { TranscriptItem } from '../../view/transcript-item.ts'
import { initialUi } from '../state/ui-state.ts'
import { keepPlace } from './keep-place.ts'
import type { ItemList } from './transcript-pane.ts'

const listOf = (...ids: string[]): ItemList => ({
  count: ids.length,
  at: (place) => (ids[place] === undefined ? undefined : ({ id: ids[place] } as TranscriptItem)),
})

const at = (place: number) => ({
  ...initialUi('dark'),
  scroll: { follow: false as const, place, line: 3 },
  search: { query: 'x', place: place + 1 },
})

test('what is at the top stays there when something is put before it', () => {
  const ui = keepPlace(at(1), listOf('c', 'd', 'e'), listOf('a', 'b', 'c', 'd', 'e'))
  expect(ui.scroll).toEqual({ follow: false, place: 3, line: 3 })
  expect(ui.search).toEqual({ query: 'x', place: 4 })
})

test('what grew below it, or on both sides, does not move it', () => {
  expect(keepPlace(at(0), listOf('a', 'b'), listOf('a', 'b', 'c', 'd')).scroll).toMatchObject({ place: 0 })
  const both = keepPlace(at(1), listOf('b', 'c', 'f'), listOf('a', 'b', 'c', 'd', 'e', 'f'))
  expect(both.scroll).toMatchObject({ place: 2 })
})

test('when it is gone, the next thing that is left stays where it was', () => {
  const ui = keepPlace(at(1), listOf('a', 'noted', 'b'), listOf('a', 'one', 'two', 'three', 'b'))
  expect(ui.scroll).toMatchObject({ place: 3 })
})

test('at the end it stays at the end', () => {
  const ui = keepPlace(initialUi('dark'), listOf('b'), listOf('a', 'b'))
  expect(ui.scroll).toEqual({ follow: true })
})
