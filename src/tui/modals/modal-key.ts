import type { Block } from '../draw/block.ts'
import type { Action } from '../state/action.ts'
import type { Modal } from '../state/modal.ts'

/** A key as pi-tui names it, with the character it types if it types one. */
export interface Key {
  name: string
  text?: string
}

/** What a key does in a modal: the modal afterwards (undefined closes it), and what else is to happen. */
export interface ModalStep {
  modal: Modal | undefined
  actions: Action[]
}

/** `most`: how far it can be scrolled, at the size it was drawn for. */
export type DrawnModal = Block & { most?: number }

export const stay = (modal: Modal): ModalStep => ({ modal, actions: [] })

export const close = (...actions: Action[]): ModalStep => ({ modal: undefined, actions })

export const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1))

export const wrapAround = (value: number, count: number): number =>
  count === 0 ? 0 : (value + count) % count
