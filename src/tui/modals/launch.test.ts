import { expect, test } from 'vitest'
import type { LaunchModal } from '../state/modal.ts'
import { fieldOf } from '../state/field.ts'
import { launches } from './launch.ts'

const modal: LaunchModal = { kind: 'launch', pending_id: 'p', cursor: 0, scroll: 0 }

test('what would start the run is known, however it is asked for', () => {
  for (const name of ['enter', 'y', 'b', 'approve']) expect(launches(modal, { name })).toBe(true)
  for (const name of ['n', 'e', 'escape', 'cancel', 'tab', 'x']) expect(launches(modal, { name })).toBe(false)
  expect(launches({ ...modal, cursor: 1 }, { name: 'enter' })).toBe(true)
  expect(launches({ ...modal, cursor: 3 }, { name: 'enter' })).toBe(false)
})

test('letters of a text that is being edited start nothing', () => {
  const edit = { task: fieldOf('a'), context: fieldOf(''), agents: fieldOf('bob') }
  for (const name of ['y', 'b']) expect(launches({ ...modal, edit }, { name })).toBe(false)
})
