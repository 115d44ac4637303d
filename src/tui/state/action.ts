import type { ChatId, RunId, TurnId } from '../../schema/ids.ts'
import type { Command } from '../../schema/command.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { Picture } from '../../schema/picture.ts'
import type { Modal } from './modal.ts'
import type { PictureSource } from '../input/pasted-pictures.ts'
import type { ThemeName } from '../draw/theme.ts'
import type { SubAgent } from './ui-state.ts'

/** What keys, clicks and commands ask for. */
export type Action = UiAction | Intent

/** Changes only what this screen shows. */
export type UiAction =
  | { type: 'scroll'; lines: number }
  | { type: 'scroll_to'; end: 'top' | 'bottom' }
  | { type: 'scroll_to_item'; place: number }
  /** Where the list ended up, told by the drawing. */
  | { type: 'scrolled'; place: number; line: number; atEnd: boolean }
  | { type: 'toggle_item'; id: string }
  | { type: 'toggle_all' }
  /** `run_id`: of this run instead of the newest. */
  | { type: 'show_team'; shown: boolean; run_id?: RunId }
  | { type: 'scroll_team'; lines: number; most: number }
  /** Shows what a sub-agent did; without one, goes back to where it was called. */
  | { type: 'look_inside'; agent: SubAgent | undefined }
  /** Another chat is shown, from its end. */
  | { type: 'show_chat' }
  | { type: 'open_modal'; modal: Modal }
  | { type: 'close_modal' }
  | { type: 'say'; text: string; tone?: 'info' | 'error' }
  | { type: 'hush' }
  | { type: 'select_choice'; pending_id: string; index: number }
  | { type: 'scroll_card'; pending_id: string; lines: number; width: number; seen: boolean }
  /** The input is taken as a reason, or as the call the person would rather have; undefined: as usual again. */
  | { type: 'write_for_card'; pending_id: string; what: 'reason' | 'edit' | undefined }
  | { type: 'search'; query: string | undefined; place?: number; in_vain?: boolean }
  /** What is being read for the person; undefined when it is done. */
  | { type: 'look'; at: string | undefined }
  | { type: 'queue'; messages: readonly string[] }
  | { type: 'set_theme'; theme: ThemeName }

/** Asks something of the session or the program. */
export type Intent =
  | { type: 'submit'; text: string }
  | { type: 'run_command'; name: string; rest: string }
  | { type: 'toggle'; id: 'plan' | 'team' | 'refinement' | 'interactive' }
  | { type: 'command'; command: Command }
  | { type: 'pick_agent'; agent_id: string }
  | { type: 'explain_modes' }
  | { type: 'answer'; stream: TurnId | RunId; pending_id: string; answer: PendingAnswer }
  | { type: 'open_pending' }
  | { type: 'open_plan' }
  | { type: 'execute_plan' }
  | { type: 'revise_plan' }
  | { type: 'reject_plan' }
  | { type: 'open_chat'; chat_id: ChatId }
  /** `at`: the last turn or run that is kept. */
  | { type: 'rewind'; text: string; pictures?: readonly Picture[]; at?: string }
  /** Lists messages to go back to, after the newest that were listed already. */
  | { type: 'pick_message'; after: number }
  | { type: 'modal_key'; key: string }
  /** Looks for words in the transcript, from where it is: on, back, or here. */
  | { type: 'find'; query: string; direction: -1 | 0 | 1 }
  | { type: 'copy'; text: string }
  | { type: 'fill_input'; text: string }
  /** Puts the call that waits into the input, to be changed. */
  | { type: 'edit_call'; pending_id: string; text: string }
  /** Puts what two answers change side by side. `labels`: the two, or those that stand out. */
  | { type: 'compare'; run_id: RunId; labels?: [string, string] }
  /** Shows an answer of a run whole. */
  | { type: 'read_answer'; run_id: RunId; label: string }
  | { type: 'search_chats'; query: string }
  | { type: 'attach'; source: PictureSource }
  | { type: 'interrupt' }
  | { type: 'quit' }

const uiActions: ReadonlySet<string> = new Set<UiAction['type']>([
  'scroll',
  'scroll_to',
  'scroll_to_item',
  'scrolled',
  'toggle_item',
  'toggle_all',
  'show_team',
  'scroll_team',
  'look_inside',
  'show_chat',
  'open_modal',
  'close_modal',
  'say',
  'hush',
  'select_choice',
  'scroll_card',
  'write_for_card',
  'search',
  'look',
  'queue',
  'set_theme',
])

export const isUiAction = (action: Action): action is UiAction => uiActions.has(action.type)
