import type { UiAction } from './action.ts'
import { type CardState, type UiState, noCard } from './ui-state.ts'

/** What the screen is after an action. Pure. */
export function reduce(ui: UiState, action: UiAction): UiState {
  switch (action.type) {
    case 'scroll':
      // The drawing knows how long items are: it turns this into a place.
      return ui
    case 'scroll_to':
      return {
        ...ui,
        scroll: action.end === 'bottom' ? { follow: true } : { follow: false, place: 0, line: 0 },
      }
    case 'scroll_to_item':
      return { ...ui, scroll: { follow: false, place: action.place, line: 0 } }
    case 'scrolled':
      return {
        ...ui,
        scroll: action.atEnd ? { follow: true } : { follow: false, place: action.place, line: action.line },
      }
    case 'toggle_item':
      return { ...ui, expanded: toggled(ui.expanded, action.id) }
    case 'toggle_all':
      return { ...ui, all_expanded: !ui.all_expanded, expanded: new Set() }
    case 'show_team':
      return { ...ui, team_tab: action.shown, team_run: action.run_id, team_scroll: 0 }
    case 'scroll_team':
      return { ...ui, team_scroll: Math.max(0, Math.min(ui.team_scroll + action.lines, action.most)) }
    case 'look_inside': {
      const inside = action.agent ? [...ui.inside, action.agent] : ui.inside.slice(0, -1)
      return { ...ui, inside, team_tab: false, scroll: { follow: true } }
    }
    case 'show_chat':
      return { ...ui, inside: [], team_tab: false, team_run: undefined, scroll: { follow: true } }
    case 'open_modal':
      return { ...ui, modal: action.modal, saying: undefined }
    case 'close_modal':
      return { ...ui, modal: undefined }
    case 'say':
      return { ...ui, saying: { text: action.text, tone: action.tone ?? 'info' } }
    case 'hush':
      return ui.saying ? { ...ui, saying: undefined } : ui
    case 'select_choice':
      return { ...ui, card: { ...cardOf(ui, action.pending_id), selected: action.index } }
    case 'scroll_card': {
      const card = cardOf(ui, action.pending_id)
      const { lines, width, seen } = action
      const scroll = Math.max(0, (card.width === width ? card.scroll : 0) + lines)
      return { ...ui, card: { ...card, scroll, width, seen: card.seen || seen } }
    }
    case 'write_for_card':
      return { ...ui, card: { ...cardOf(ui, action.pending_id), writing: action.what } }
    case 'search': {
      const { type: _, query, ...found } = action
      return { ...ui, search: query === undefined ? undefined : { query, ...found } }
    }
    case 'look':
      return ui.looking === action.at ? ui : { ...ui, looking: action.at }
    case 'queue':
      return { ...ui, queue: action.messages }
    case 'set_theme':
      return { ...ui, theme: action.theme }
  }
}

export const cardOf = (ui: UiState, pending_id: string): CardState =>
  ui.card.pending_id === pending_id ? ui.card : { ...noCard, pending_id }

/** With everything shown, an item in the set is one that is folded. */
export const isExpanded = (ui: UiState, id: string): boolean => ui.all_expanded !== ui.expanded.has(id)

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}
