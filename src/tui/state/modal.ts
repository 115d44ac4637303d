import type { StepReview } from '../../schema/plan.ts'
import type { Action } from './action.ts'
import type { Field } from './field.ts'

/** What lies over the screen. Only one at a time; keys and clicks go to it alone. */
export type Modal =
  | PlanModal
  | OverrideModal
  | CompareModal
  | LaunchModal
  | ConfirmModal
  | PickerModal
  | PageModal

export interface PlanModal {
  kind: 'plan'
  plan_id: string
  revision: number
  /** A step, then the additional instructions, then the buttons. */
  cursor: number
  reviews: Readonly<Record<number, StepReview>>
  additions: Field
  /** What is being written about the step under the cursor. */
  writing?: { what: 'edit' | 'comment'; field: Field }
  scroll: number
}

export interface OverrideModal {
  kind: 'override'
  pending_id: string
  cursor: number
}

/** What two answers change, side by side. */
export interface CompareModal {
  kind: 'compare'
  candidates: readonly Candidate[]
  /** Places in `candidates`. */
  left: number
  right: number
  scroll: number
  /** Where Esc leads back to. */
  back?: OverrideModal
}

export interface Candidate {
  agent: string
  label: string
  /** Undefined when it is not known any more. */
  diff: string | undefined
}

export interface LaunchModal {
  kind: 'launch'
  pending_id: string
  /** Which button; or while editing, which field. */
  cursor: number
  edit?: { task: Field; context: Field; agents: Field }
  scroll: number
}

export interface ConfirmModal {
  kind: 'confirm'
  title: string
  lines: readonly string[]
  yes: { label: string; action: Action }
  no: string
  cursor: number
}

export interface PickerModal {
  kind: 'picker'
  title: string
  query: Field
  items: readonly PickerItem[]
  cursor: number
  empty: string
  /** What is typed is also looked for in all chats. */
  searches?: 'chats'
  /** What that came to. */
  found?: { query: string; items: readonly PickerItem[] }
}

export interface PickerItem {
  label: string
  note?: string
  action: Action
}

/** Something to read: help, cost, a diff. */
export interface PageModal {
  kind: 'page'
  title: string
  lines: readonly PageLine[]
  scroll: number
  /** Where Esc leads back to. */
  back?: OverrideModal
}

export interface PageLine {
  text: string
  /** Lines that it is broken into begin at this column. */
  hang?: number
  style?: 'text' | 'dim' | 'bold' | 'added' | 'removed' | 'accent' | 'error'
}
