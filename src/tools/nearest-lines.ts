const SHOWN_BEFORE = 1
const SHOWN = 5
const MAX_LINE = 200
/** Beyond this, a comparison costs more than the hint is worth. */
const MAX_LINES = 50_000

/** Where the text was probably meant, as the end of a sentence: the lines around the one most like its longest line. */
export function nearestLines(text: string, wanted: string): string {
  const wantedLines = wanted.split('\n').map((line) => line.trim())
  const longest = wantedLines.reduce((a, b) => (b.length > a.length ? b : a), '')
  const lines = text.split('\n', MAX_LINES)
  const found = bestLine(lines, longest.slice(0, MAX_LINE))
  if (found === undefined) return '; read the file again'
  const first = Math.max(0, found - wantedLines.indexOf(longest) - SHOWN_BEFORE)
  const shown = lines
    .slice(first, first + Math.max(SHOWN, Math.min(wantedLines.length + 2 * SHOWN_BEFORE, 2 * SHOWN)))
    .map((line, index) => `${first + index + 1}\t${clip(line.replace(/\r$/u, ''))}`)
  const differs = lines[found]?.trim() === longest ? ' (it may differ only in white space)' : ''
  return `${differs}. The nearest lines are:\n${shown.join('\n')}`
}

function bestLine(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted)
  let best: number | undefined
  let bestLikeness = 0.4
  for (const [index, line] of lines.entries()) {
    const likeness = likenessOf(pairs, pairsOf(line.trim().slice(0, MAX_LINE)))
    if (likeness <= bestLikeness) continue
    best = index
    bestLikeness = likeness
    if (likeness === 1) break
  }
  return best
}

/** The share of letter pairs two lines have in common: 1 for equal ones. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let common = 0
  for (const pair of a) if (b.has(pair)) common += 1
  return (2 * common) / (a.size + b.size)
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>()
  for (let at = 0; at < line.length - 1; at += 1) pairs.add(line.slice(at, at + 2))
  return pairs
}

const clip = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)
