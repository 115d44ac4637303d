export interface LoosePlace {
  start: number
  end: number
  /** The line it starts at, from 1. */
  line: number
  /** The new text with the indentation and the line ends found there. */
  new_text: string
}

/**
 * Where whole lines are, when only white space keeps them from being found: indentation, runs of spaces, spaces at line
 * ends. Nothing unless exactly one place fits, and nothing for lines without any text to hold on to.
 */
export function loosePlace(text: string, old_text: string, new_text: string): LoosePlace | undefined {
  const wanted = splitLines(old_text)
  const keys = wanted.map(squeeze)
  if (keys.every((key) => key === '')) return undefined
  const lines = text.split('\n')
  const squeezed = lines.map(squeeze)
  let first: number | undefined
  for (let at = 0; at + keys.length <= squeezed.length; at += 1) {
    if (!keys.every((key, index) => key === squeezed[at + index])) continue
    if (first !== undefined) return undefined
    first = at
  }
  if (first === undefined) return undefined

  const found = lines.slice(first, first + keys.length)
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0)
  const last = found.at(-1) ?? ''
  // The line end after the last line stays, as it would in an exact replacement, unless the old text had one.
  const takesLineEnd = old_text.endsWith('\n') && first + keys.length < lines.length
  const length = found.join('\n').length - (takesLineEnd || !last.endsWith('\r') ? 0 : 1)
  const eol = found.some((line) => line.endsWith('\r')) ? '\r\n' : '\n'
  const fresh = splitLines(new_text).map((line) => indentAsFound(line, wanted, found))
  return {
    start,
    end: start + length + (takesLineEnd ? 1 : 0),
    line: first + 1,
    new_text: fresh.join(eol) + (takesLineEnd && new_text.endsWith('\n') ? eol : ''),
  }
}

/** Without the empty string after a final line end. */
function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/u, ''))
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

const squeeze = (line: string): string => line.trim().replaceAll(/[\t ]+/gu, ' ')

/**
 * A new line indented like an old one gets the indentation that one has in the file; any other is moved as far as the
 * old lines were, when all were moved alike.
 */
function indentAsFound(line: string, wanted: readonly string[], found: readonly string[]): string {
  if (line.trim() === '') return line
  const own = indentOf(line)
  const pairs = wanted.flatMap((old, index): [string, string][] =>
    old.trim() === '' ? [] : [[indentOf(old), indentOf(found[index] ?? '')]],
  )
  const same = pairs.find(([old]) => old === own)
  if (same) return same[1] + line.slice(own.length)
  const [first] = pairs
  if (first && pairs.every(([old, there]) => there === first[1].slice(0, there.length - old.length) + old)) {
    return first[1].slice(0, first[1].length - first[0].length) + line
  }
  return line
}

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length)
