import type { Key } from './modals/modal-key.ts'
import type { DrawnCard } from './screen/card.ts'
import type { Scene } from './screen/scene.ts'
import type { Action } from './state/action.ts'
import { cardOf } from './state/reduce.ts'
import type { UiState } from './state/ui-state.ts'

export interface KeyContext {
  ui: UiState
  scene: Scene
  card: DrawnCard | undefined
  /** The input has no text. */
  empty: boolean
  completing: boolean
  /** Rows of the transcript. */
  page: number
  /** The card has only just appeared: a key may have been meant for something else. */
  fresh: boolean
}

/**
 * What a key does when no modal is open; undefined leaves it to the input. Letters and digits are keys only while the
 * input is empty.
 */
export function mainKey(key: Key, context: KeyContext): Action[] | undefined {
  const { ui, scene, empty, completing, page } = context
  if (ui.search) return searchKey(key, ui.search.query)
  switch (key.name) {
    case 'shift+tab':
      return [{ type: 'toggle', id: 'plan' }]
    case 'pageUp':
      return cardScroll(context, -5) ?? [{ type: 'scroll', lines: -Math.max(1, page - 2) }]
    case 'pageDown':
      return cardScroll(context, 5) ?? [{ type: 'scroll', lines: Math.max(1, page - 2) }]
    case 'ctrl+home':
      return [{ type: 'scroll_to', end: 'top' }]
    case 'ctrl+end':
      return [{ type: 'scroll_to', end: 'bottom' }]
    case 'ctrl+f':
      return [{ type: 'search', query: '' }]
    case 'ctrl+o':
      return scene.mode.override === 'available' ? [{ type: 'open_pending' }] : [{ type: 'toggle_all' }]
  }
  const onCard = completing ? undefined : cardKey(key, context)
  if (onCard) return onCard
  if (!empty || completing) return undefined
  if (key.name === 'tab') return nextTab(scene, ui)
  if (key.text === '?') return [{ type: 'run_command', name: 'help', rest: '' }]
  const agent =
    /^[1-9]$/.test(key.text ?? '') && scene.agents.length > 1 ? scene.agents[Number(key.text) - 1] : undefined
  return agent && [{ type: 'pick_agent', agent_id: agent.id }]
}

/** Choices of the card by key, arrows or a bare Enter. Nothing is approved before it was seen whole. */
function cardKey(key: Key, { ui, scene, card, empty, fresh }: KeyContext): Action[] | undefined {
  const [waiting] = scene.pendings
  if (!card || !waiting) return undefined
  const { id } = waiting.pending
  const state = cardOf(ui, id)
  if (state.writing && key.name === 'escape')
    return [
      { type: 'write_for_card', pending_id: id, what: undefined },
      { type: 'fill_input', text: '' },
    ]
  if (state.writing || !empty) return undefined
  const { choices, usual } = card.model
  const current = state.selected >= 0 ? state.selected : usual
  switch (key.name) {
    case 'up':
    case 'left':
      return [{ type: 'select_choice', pending_id: id, index: Math.max(0, current - 1) }]
    case 'down':
    case 'right':
      return [{ type: 'select_choice', pending_id: id, index: Math.min(choices.length - 1, current + 1) }]
    case 'enter':
      return current >= 0
        ? take(card, current, { fresh })
        : [{ type: 'say', text: 'This one needs a choice: use the arrows or its number' }]
  }
  const chosen = choices.findIndex((choice) => choice.key === key.text)
  return chosen >= 0 ? take(card, chosen, { fresh }) : undefined
}

/** Clicks come here too. */
export function take(card: DrawnCard, index: number, { fresh }: { fresh: boolean }): Action[] {
  const choice = card.model.choices[index]
  if (!choice) return []
  if (choice.approves && fresh)
    return [{ type: 'say', text: 'This has just appeared: look at it, then press again' }]
  if (choice.approves && !card.seen) {
    return [
      {
        type: 'say',
        text: `${card.below} more lines to read before this can be approved: PageDown`,
        tone: 'error',
      },
    ]
  }
  return [choice.action]
}

/** Never further than what is shown: no line is passed over. */
function cardScroll({ scene, card }: KeyContext, wanted: number): Action[] | undefined {
  const [waiting] = scene.pendings
  if (!card || !waiting || (wanted > 0 ? card.below === 0 : card.above === 0)) return undefined
  const { room, below, above, width } = card
  const lines = wanted > 0 ? Math.min(wanted, room, below) : -Math.min(-wanted, above)
  const seen = below - lines <= 0
  return [{ type: 'scroll_card', pending_id: waiting.pending.id, lines, width, seen }]
}

function searchKey(key: Key, query: string): Action[] {
  switch (key.name) {
    case 'escape':
      return [{ type: 'search', query: undefined }]
    case 'enter':
    case 'down':
    case 'ctrl+f':
      return [{ type: 'find', query, direction: 1 }]
    case 'up':
      return [{ type: 'find', query, direction: -1 }]
    case 'backspace':
      return [{ type: 'find', query: query.slice(0, -1), direction: 0 }]
  }
  return key.text === undefined ? [] : [{ type: 'find', query: query + key.text, direction: 0 }]
}

/** Around the tabs; in a team the chat itself is one of them. */
function nextTab({ agents, mode, watching }: Scene, ui: UiState): Action[] | undefined {
  if (agents.length < 2) return undefined
  const single = mode.agent_mode === 'single'
  const current = single ? mode.active_agent : watching
  const index = agents.findIndex(({ id }) => id === current)
  if (ui.team_tab) {
    const first = agents[0]
    return [{ type: 'show_team', shown: false }, ...(single && first ? [pick(first.id)] : [])]
  }
  const next = agents[index + 1]
  if (next) return [pick(next.id)]
  return [{ type: 'show_team', shown: true }, ...(!single && current ? [pick(current)] : [])]
}

const pick = (agent_id: string): Action => ({ type: 'pick_agent', agent_id })
