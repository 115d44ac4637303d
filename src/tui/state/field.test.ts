import { expect, test } from 'vitest'
import { editField, emptyField, fieldOf } from './field.ts'

test('text goes in at the cursor and never splits a character', () => {
  const typed = editField(fieldOf('a👩‍🚀'), 'b', 'b')
  expect(typed).toEqual({ text: 'a👩‍🚀b', cursor: 7 })
  const back = typed && editField({ ...typed, cursor: 6 }, 'backspace', undefined)
  expect(back).toEqual({ text: 'ab', cursor: 1 })
})

test('words and ends', () => {
  expect(editField(fieldOf('one two  '), 'ctrl+w', undefined)).toEqual({ text: 'one ', cursor: 4 })
  expect(editField(fieldOf('one'), 'home', undefined)?.cursor).toBe(0)
  expect(editField(emptyField, 'left', undefined)).toEqual(emptyField)
  expect(editField(emptyField, 'f5', undefined)).toBeUndefined()
})
