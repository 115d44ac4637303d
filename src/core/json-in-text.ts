/** Prose may hold so many braces that are never closed. */
const STRAY_BRACES = 8
/** More objects than this nobody means, and more brace pairs that are none are no text worth reading on. */
const MOST_OBJECTS = 200
const MOST_BROKEN = 2_000

/**
 * The JSON objects that models write: inside a fence, with prose around them, with comments or trailing commas. Objects
 * inside a brace pair that is no JSON are not looked for, which keeps the cost linear in the length of the text.
 */
export function* jsonObjectsIn(text: string): Generator<Record<string, unknown>> {
  for (const { value } of jsonSpansIn(text)) yield value
}

/** The same, with where they are: from `start` up to but not including `end`. */
export function* jsonSpansIn(
  text: string,
): Generator<{ value: Record<string, unknown>; start: number; end: number }> {
  let stray = 0
  let found = 0
  let broken = 0
  for (
    let start = text.indexOf('{');
    start >= 0 && stray <= STRAY_BRACES && found < MOST_OBJECTS && broken < MOST_BROKEN;
  ) {
    const end = matchingBrace(text, start)
    if (end < 0) {
      stray++
      start = text.indexOf('{', start + 1)
      continue
    }
    const candidate = text.slice(start, end + 1)
    const value = parse(candidate) ?? parse(tidy(candidate))
    if (value) {
      found++
      yield { value, start, end: end + 1 }
    } else broken++
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
  const dropped: [from: number, to: number][] = []
  /** The last comma, while nothing but blanks and comments follow it, and where its range would go. */
  let comma = -1
  let place = 0
  for (let index = 0; index < text.length; index++) {
    const sign = text.charCodeAt(index)
    if (sign === SLASH && (text[index + 1] === '/' || text[index + 1] === '*')) {
      const line = text[index + 1] === '/'
      const end = line ? find(text, '\n', index) : find(text, '*/', index + 2) + 2
      dropped.push([index, end])
      index = end - 1
    } else if (sign === COMMA) {
      comma = index
      place = dropped.length
    } else if (sign > SPACE) {
      if ((sign === CLOSE_BRACE || sign === CLOSE_BRACKET) && comma >= 0)
        dropped.splice(place, 0, [comma, comma + 1])
      if (sign === QUOTE) index = stringEnd(text, index) - 1
      comma = -1
    }
  }
  const kept = dropped.map(([from], index) => text.slice(dropped[index - 1]?.[1] ?? 0, from))
  return kept.join('') + text.slice(dropped.at(-1)?.[1] ?? 0)
}

function stringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const sign = text.charCodeAt(index)
    if (sign === BACKSLASH) index++
    else if (sign === QUOTE) return index + 1
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
    const sign = text.charCodeAt(index)
    if (sign === QUOTE) index = stringEnd(text, index) - 1
    else if (sign === OPEN_BRACE) depth++
    else if (sign === CLOSE_BRACE && --depth === 0) return index
  }
  return -1
}

const [SPACE, QUOTE, COMMA, SLASH, BACKSLASH] = [0x20, 0x22, 0x2c, 0x2f, 0x5c]
const [OPEN_BRACE, CLOSE_BRACE, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5d]
