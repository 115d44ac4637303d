/**
 * The JSON objects that models write: inside a fence, with prose around them, with comments or trailing commas. Objects
 * inside a brace pair that is no JSON are not looked for, which keeps the cost linear in the length of the text.
 */
export function* jsonObjectsIn(text: string): Generator<Record<string, unknown>> {
  for (let start = text.indexOf('{'); start >= 0;) {
    const end = matchingBrace(text, start)
    if (end < 0) return
    const candidate = text.slice(start, end + 1)
    const value = parse(candidate) ?? parse(tidy(candidate))
    if (value) yield value
    start = text.indexOf('{', end + 1)
  }
}

export function findJsonObject(text: string): Record<string, unknown> | undefined {
  for (const value of jsonObjectsIn(text)) return value
  return undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Drops comments, and commas before a closing bracket, outside of strings. */
function tidy(text: string): string {
  const out: string[] = []
  let comma = -1
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] ?? ''
    if (sign === '"') {
      const end = stringEnd(text, index)
      out.push(text.slice(index, end))
      index = end - 1
      comma = -1
    } else if (sign === '/' && text[index + 1] === '/') index = find(text, '\n', index) - 1
    else if (sign === '/' && text[index + 1] === '*') index = find(text, '*/', index) + 1
    else {
      if ((sign === '}' || sign === ']') && comma >= 0) out[comma] = ''
      if (sign === ',') comma = out.length
      else if (sign.trim()) comma = -1
      out.push(sign)
    }
  }
  return out.join('')
}

function stringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index + 1
  }
  return text.length
}

function find(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found
}

function matchingBrace(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const sign = text[index]
    if (sign === '"') index = stringEnd(text, index) - 1
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return index
  }
  return -1
}
