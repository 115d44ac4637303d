import { findJsonObject, jsonObjectsIn } from './json-in-text.ts'

export interface Repaired {
  value: Record<string, unknown>
  /** The end of a value had to be assumed: good enough to look something up, not to change anything. */
  guessed: boolean
}

/**
 * The one object that a model meant to write: in a fence, with a word beside it, with raw line breaks or trailing commas,
 * or not closed at the very end. Two objects could both be meant, so they are not repaired. Only for text that its
 * provider called complete.
 */
export function repairJson(text: string): Repaired | undefined {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  const { clean, missing, cutString } = scan(text.slice(start))
  if (missing === undefined) return undefined
  if (missing === '') {
    const [only, another] = jsonObjectsIn(clean)
    return only && !another ? { value: only, guessed: false } : undefined
  }
  const value = findJsonObject(clean + missing)
  return value && { value, guessed: cutString || /[\w.+-]$/.test(clean.replace(/\b(true|false|null)$/, '')) }
}

interface Scanned {
  /** With control characters inside strings escaped. */
  clean: string
  /** What closes the first object; empty when it is closed, undefined when brackets do not match. */
  missing: string | undefined
  cutString: boolean
}

function scan(text: string): Scanned {
  const out: string[] = []
  const open: string[] = []
  let inString = false
  let closed = false
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] ?? ''
    if (inString && sign === '\\') {
      // A backslash at the very end escapes nothing.
      if (index + 1 < text.length) out.push(sign, text[++index] ?? '')
      continue
    }
    out.push(inString && sign < ' ' ? (escapes[sign] ?? '') : sign)
    if (sign === '"') inString = !inString
    if (inString || closed) continue
    if (sign === '{') open.push('}')
    else if (sign === '[') open.push(']')
    else if ((sign === '}' || sign === ']') && open.pop() !== sign)
      return { clean: '', missing: undefined, cutString: false }
    closed = open.length === 0
    // What follows a closed object is not ours: a quotation mark in it opens no string.
    if (closed) return { clean: out.join('') + text.slice(index + 1), missing: '', cutString: false }
  }
  const clean = out.join('').trimEnd()
  return { clean, missing: (inString ? '"' : '') + open.toReversed().join(''), cutString: inString }
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
