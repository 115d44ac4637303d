import { graphemes } from '../draw/graphemes.ts'

/** A line of text a person edits inside a modal. Positions count UTF-16 units; a step never splits a character. */
export interface Field {
  text: string
  cursor: number
}

export const emptyField: Field = { text: '', cursor: 0 }

export const fieldOf = (text: string): Field => ({ text, cursor: text.length })

export function insertText({ text, cursor }: Field, added: string): Field {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

/** The field after a key, or undefined when the key is not about text. `key` as pi-tui names it. */
export function editField(field: Field, key: string, printable: string | undefined): Field | undefined {
  const { text, cursor } = field
  const keep = (from: number, to: number): Field => ({
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
  })
  switch (key) {
    case 'backspace':
      return keep(before(text, cursor), cursor)
    case 'delete':
      return keep(cursor, after(text, cursor))
    case 'ctrl+u':
      return keep(0, cursor)
    case 'ctrl+k':
      return keep(cursor, text.length)
    case 'ctrl+w':
    case 'alt+backspace':
      return keep(wordStart(text, cursor), cursor)
    case 'left':
      return { text, cursor: before(text, cursor) }
    case 'right':
      return { text, cursor: after(text, cursor) }
    case 'home':
    case 'ctrl+a':
      return { text, cursor: 0 }
    case 'end':
    case 'ctrl+e':
      return { text, cursor: text.length }
  }
  return printable === undefined ? undefined : insertText(field, printable)
}

function before(text: string, cursor: number): number {
  const last = [...graphemes.segment(text.slice(0, cursor))].at(-1)
  return last ? last.index : 0
}

function after(text: string, cursor: number): number {
  for (const { segment } of graphemes.segment(text.slice(cursor))) return cursor + segment.length
  return cursor
}

const wordStart = (text: string, cursor: number): number => text.slice(0, cursor).search(/\S+\s*$|$/)
