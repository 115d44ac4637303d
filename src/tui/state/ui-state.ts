import type { RunId, TurnId } from '../../schema/ids.ts'
import type { ThemeName } from '../draw/theme.ts'
import type { Modal } from './modal.ts'

/** What is true of this screen and nothing else: the chat itself is in the view. */
export interface UiState {
  theme: ThemeName
  scroll: Scroll
  /** Items shown whole. */
  expanded: ReadonlySet<string>
  all_expanded: boolean
  team_tab: boolean
  /** The run on the Team tab, when it is not the newest. */
  team_run: RunId | undefined
  team_scroll: number
  /** The sub-agents whose transcript is shown instead, the innermost last. */
  inside: readonly SubAgent[]
  modal: Modal | undefined
  /** One line for the person, until the next key. */
  saying: { text: string; tone: 'info' | 'error' } | undefined
  card: CardState
  search: Search | undefined
  /** What is being read for the person, in a few words; Esc ends it. */
  looking: string | undefined
  /** Messages to send when the agents are done. */
  queue: readonly string[]
}

/** Where the transcript is: at its end, or with this line of this item at the top. */
export type Scroll = { follow: true } | { follow: false; place: number; line: number }

export interface Search {
  query: string
  place?: number
  /** What is not held of the chat was looked through in vain. */
  in_vain?: boolean
}

/** The card of the oldest pending, by its id: another one starts afresh. */
export interface CardState {
  pending_id: string | undefined
  selected: number
  scroll: number
  /** The width it was scrolled at: at another one the lines are others, and reading starts again. */
  width: number
  /** The last line of what is to be approved has been on the screen. */
  seen: boolean
  /** What the input is taken for: the reason of a refusal, or the call as the person would have it. */
  writing: 'reason' | 'edit' | undefined
}

export interface SubAgent {
  turn_id: TurnId
  name: string
}

export const noCard: CardState = {
  pending_id: undefined,
  selected: -1,
  scroll: 0,
  width: 0,
  seen: false,
  writing: undefined,
}

export const initialUi = (theme: ThemeName): UiState => ({
  theme,
  scroll: { follow: true },
  expanded: new Set(),
  all_expanded: false,
  team_tab: false,
  team_run: undefined,
  team_scroll: 0,
  inside: [],
  modal: undefined,
  saying: undefined,
  card: noCard,
  search: undefined,
  looking: undefined,
  queue: [],
})
