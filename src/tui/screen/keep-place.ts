import type { UiState } from '../state/ui-state.ts'
import type { ItemList } from './transcript-pane.ts'

/** How many items are looked at for one that is in both lists. */
const TRIED = 40

/** The screen after a list has grown somewhere: what is at its top stays there, and so does what was found. */
export function keepPlace(ui: UiState, before: ItemList, after: ItemList): UiState {
  const { scroll, search } = ui
  return {
    ...ui,
    scroll: scroll.follow ? scroll : { ...scroll, place: moved(before, after, scroll.place) },
    search: search?.place === undefined ? search : { ...search, place: moved(before, after, search.place) },
  }
}

/** Where an item is now; when it is gone, where the next one that is left would have it. */
function moved(before: ItemList, after: ItemList, place: number): number {
  const grown = after.count - before.count
  for (let at = place; at < Math.min(before.count, place + TRIED); at++) {
    const id = before.at(at)?.id
    const to = id === undefined ? undefined : find(after, id, at, grown)
    if (to !== undefined) return Math.max(0, to - (at - place))
  }
  return Math.max(0, Math.min(after.count - 1, place + Math.max(0, grown)))
}

/** Most often all that is new came before it. */
function find(list: ItemList, id: string, at: number, grown: number): number | undefined {
  if (list.at(at + grown)?.id === id) return at + grown
  const last = at + Math.max(0, grown) + TRIED
  for (let place = Math.max(0, at - TRIED); place <= last; place++) {
    if (list.at(place)?.id === id) return place
  }
  return undefined
}
