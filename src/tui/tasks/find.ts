import type { TranscriptItem } from '../../view/transcript-item.ts'
import type { App } from '../app.ts'
import { itemList } from '../screen/item-list.ts'

/** Goes to the next item with these words; round the end once. */
export async function find(app: App, query: string, direction: -1 | 0 | 1): Promise<void> {
  const list = itemList(app.scene)
  const wanted = query.toLowerCase()
  const from = app.ui.search?.place ?? (app.ui.scroll.follow ? list.count - 1 : app.ui.scroll.place)
  const step = direction === 1 ? 1 : -1
  let place: number | undefined
  for (let tried = direction === 0 ? 0 : 1; wanted !== '' && tried <= list.count; tried++) {
    const at = (((from + step * tried) % list.count) + list.count) % list.count
    const item = list.at(at)
    if (!item || !wordsOf(item).toLowerCase().includes(wanted)) continue
    place = at
    break
  }
  app.dispatch({ type: 'search', query, ...(place !== undefined && { place }) })
  if (place !== undefined) app.dispatch({ type: 'scroll_to_item', place })
}

/** What an item says, for searching. */
function wordsOf(item: TranscriptItem): string {
  switch (item.kind) {
    case 'user_message':
    case 'agent_message':
    case 'guidance':
    case 'notice':
      return item.text
    case 'tool_call':
      return `${item.name} ${item.summary} ${item.output?.text ?? ''} ${item.diff ?? ''}`
    case 'answer_submitted':
      return `${item.label} ${item.text.text}`
    case 'vote_cast':
      return `${item.label} ${item.reason}`
    default:
      return ''
  }
}
