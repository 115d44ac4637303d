import { nearestLines } from './nearest-lines.ts'

export interface Edit {
  old_text: string
  new_text: string
  replace_all?: boolean
}

/**
 * Applies exact replacements in order, each to the result of the one before; all of them or none. A file with CRLF line
 * ends keeps them although a model writes `\n`.
 */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string } | { problem: string } {
  if (edits.length === 0) return { problem: 'there are no edits' }
  let current = text
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(current, edit)
    if ('problem' in result) {
      const which = edits.length === 1 ? '' : `edit ${index + 1} of ${edits.length}: `
      return { problem: which + result.problem }
    }
    current = result.text
  }
  return { text: current }
}

function applyEdit(text: string, edit: Edit): { text: string } | { problem: string } {
  if (edit.old_text === '') return { problem: 'old_text is empty; give the text to replace' }
  if (edit.old_text === edit.new_text) return { problem: 'old_text and new_text are the same' }
  for (const { old_text, new_text } of spellings(text, edit)) {
    const places = placesOf(text, old_text)
    if (places.length === 0) continue
    if (places.length > 1 && !edit.replace_all) return { problem: tooMany(text, places) }
    return { text: replaceAt(text, edit.replace_all ? apart(places, old_text) : places, old_text, new_text) }
  }
  return { problem: `old_text was not found${nearestLines(text, edit.old_text)}` }
}

/** The edit with the line ends most lines of the file have, then with the other ones. */
function spellings(text: string, edit: Edit): Edit[] {
  const crlf = { ...edit, old_text: toCrlf(edit.old_text), new_text: toCrlf(edit.new_text) }
  const lines = text.split('\n').length - 1
  const crlfLines = text.split('\r\n').length - 1
  return crlfLines * 2 > lines ? [crlf, edit] : [edit, crlf]
}

const toCrlf = (text: string): string => text.replaceAll(/\r?\n/gu, '\r\n')

/** Overlapping ones too: in "aaa" it is not clear which "aa" is meant. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

function apart(places: readonly number[], part: string): number[] {
  let free = 0
  return places.filter((at) => {
    if (at < free) return false
    free = at + part.length
    return true
  })
}

function replaceAt(text: string, places: readonly number[], part: string, by: string): string {
  const pieces: string[] = []
  let from = 0
  for (const at of places) {
    pieces.push(text.slice(from, at), by)
    from = at + part.length
  }
  return pieces.join('') + text.slice(from)
}

function tooMany(text: string, places: readonly number[]): string {
  const lines = places.slice(0, 5).map((at) => text.slice(0, at).split('\n').length)
  const more = places.length > lines.length ? ', …' : ''
  return (
    `old_text was found ${places.length} times, at line ${lines.join(', ')}${more}; ` +
    'add lines around it until it is unique, or set replace_all'
  )
}
