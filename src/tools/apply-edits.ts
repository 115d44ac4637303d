import { loosePlace } from './loose-place.ts'
import { nearestLines } from './nearest-lines.ts'

export interface Edit {
  old_text: string
  new_text: string
  replace_all?: boolean
}

export type Edited = { text: string; notes?: string[] } | { problem: string }

/**
 * Applies replacements in order, each to the result of the one before; all of them or none. A file with CRLF line ends
 * keeps them although a model writes `\n`. Notes say where something else than `old_text` itself was replaced.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  if (edits.length === 0) return { problem: 'there are no edits' }
  let current = text
  const notes: string[] = []
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(current, edit)
    const which = edits.length === 1 ? '' : `edit ${index + 1} of ${edits.length}: `
    if ('problem' in result) return { problem: which + result.problem }
    notes.push(...(result.notes ?? []).map((note) => which + note))
    current = result.text
  }
  return { text: current, ...(notes.length > 0 && { notes }) }
}

function applyEdit(text: string, edit: Edit): Edited {
  if (edit.old_text === '') return { problem: 'old_text is empty; give the text to replace' }
  if (edit.old_text === edit.new_text) return { problem: 'old_text and new_text are the same' }
  for (const { old_text, new_text } of spellings(text, edit)) {
    const places = placesOf(text, old_text)
    if (places.length === 0) continue
    if (places.length > 1 && !edit.replace_all) return { problem: tooMany(text, places) }
    const chosen = edit.replace_all ? apart(places, old_text) : places
    return { text: replaceAt(text, chosen, old_text, new_text) }
  }
  return (
    (!edit.replace_all && replaceLoosely(text, edit)) || {
      problem: `old_text was not found${nearestLines(text, edit.old_text)}`,
    }
  )
}

/** Only where white space is all that differs, and only one place fits. */
function replaceLoosely(text: string, edit: Edit): Edited | undefined {
  const place = loosePlace(text, edit.old_text, edit.new_text)
  if (!place) return undefined
  const exact = text.slice(place.start, place.end)
  return {
    text: text.slice(0, place.start) + place.new_text + text.slice(place.end),
    notes: [
      `old_text differs in white space from the file; replaced exactly this, at line ${place.line}:\n${exact}`,
    ],
  }
}

/** The edit with the line ends most lines of the file have, then with the other ones. */
function spellings(text: string, edit: Edit): Edit[] {
  const crlf = { ...edit, old_text: toCrlf(edit.old_text), new_text: toCrlf(edit.new_text) }
  return usesCrlf(text) ? [crlf, edit] : [edit, crlf]
}

export function usesCrlf(text: string): boolean {
  const lines = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > lines
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
