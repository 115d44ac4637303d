import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { itemList } from '../screen/item-list.ts'
import type { Search } from '../state/ui-state.ts'
import { findEarlier } from './find-earlier.ts'
import { look } from './look.ts'
import { saysSo } from './words-of.ts'

/** While somebody types, only what they stop at is looked for in what is not here. */
const PAUSE_MS = 120

/**
 * Goes to the next item with these words; round the end once. Where the way up leads beyond what is held of the chat,
 * that is looked through too, back to the beginning.
 */
export async function find(app: App, query: string, direction: -1 | 0 | 1): Promise<void> {
  app.stopLooking()
  const list = itemList(app.scene)
  const wanted = query.toLowerCase()
  const { search, scroll } = app.ui
  const last = list.count - 1
  const from = search?.place ?? (scroll.follow ? last : scroll.place)
  const nearest = (first: number, end: number): number | undefined => {
    const step = end < first ? -1 : 1
    for (let place = first; wanted !== '' && place !== end + step; place += step) {
      const item = list.at(place)
      if (item && saysSo(item, wanted)) return place
    }
    return undefined
  }
  const down = () => (from < last ? nearest(from + 1, last) : undefined) ?? nearest(0, from)
  const up = () => (from + direction < 0 ? undefined : nearest(from + direction, 0))
  const place = direction === 1 ? down() : up()
  const in_vain = isInVain(search, query)
  if (place !== undefined || wanted === '') return show(app, { query, in_vain, place })
  if (!in_vain && isPartOfChat(app)) {
    app.dispatch({ type: 'search', query })
    const earlier = await lookBack(app, wanted, direction === 0 ? PAUSE_MS : 0)
    if (earlier === 'ended' || app.ui.search?.query !== query) return
    if (earlier !== undefined) return show(app, { query, in_vain, place: earlier })
  }
  show(app, { query, in_vain: true, place: direction === 1 ? undefined : nearest(last, from) })
}

/** What has no match for a word has none for a longer one. */
const isInVain = (search: Search | undefined, query: string): boolean =>
  search?.in_vain === true && query.startsWith(search.query)

/** The chat itself is on the screen, and not all of it is held. */
const isPartOfChat = ({ session, scene, view }: App): boolean =>
  scene.watching === undefined &&
  scene.inside === undefined &&
  session !== undefined &&
  (session.unread_log > 0 || view.unread > 0)

async function lookBack(app: App, wanted: string, pause: number): Promise<number | 'ended' | undefined> {
  let found: number | 'ended' | undefined = 'ended'
  await look(app, 'looking through earlier messages …', async (looking) => {
    await sleep(pause)
    const place = await findEarlier(app, wanted, looking)
    if (!looking.signal.aborted) found = place
  })
  return found
}

function show(app: App, search: { query: string; in_vain: boolean; place: number | undefined }): void {
  const { query, in_vain, place } = search
  app.dispatch({ type: 'search', query, in_vain, ...(place !== undefined && { place }) })
  if (place !== undefined) app.dispatch({ type: 'scroll_to_item', place })
}
