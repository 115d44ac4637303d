export interface LineDiff {
  added: number
  removed: number
  /** Changed lines with a little around them, shortened when there are many. */
  text: string
}

type Row = { sign: ' ' | '-' | '+'; line: string }

const CONTEXT = 2
const MAX_SHOWN = 60
const MAX_LINE = 200
/** Texts further apart than this are shown as one block removed and one added. */
const MAX_DISTANCE = 500

/** What changed between two texts, line by line. */
export function lineDiff(before: string, after: string): LineDiff {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1

  const middle = diffLines(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const from = Math.max(0, start - CONTEXT)
  const rows: Row[] = [
    ...a.slice(from, start).map((line): Row => ({ sign: ' ', line })),
    ...middle,
    ...a.slice(a.length - end, a.length - end + CONTEXT).map((line): Row => ({ sign: ' ', line })),
  ]
  const count = (sign: Row['sign']): number => middle.filter((row) => row.sign === sign).length
  return { added: count('+'), removed: count('-'), text: showRows(rows, from + 1) }
}

/** Myers' greedy algorithm: the fewest removed and added lines. */
function diffLines(a: readonly string[], b: readonly string[]): Row[] {
  const furthest = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let distance = 0; distance <= Math.min(a.length + b.length, MAX_DISTANCE); distance += 1) {
    trace.push(new Map(furthest))
    for (let k = -distance; k <= distance; k += 2) {
      let x = step(furthest, k, distance)
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return backtrack(a, b, trace)
    }
  }
  return [...a.map((line): Row => ({ sign: '-', line })), ...b.map((line): Row => ({ sign: '+', line }))]
}

/** Diagonal `k` is reached from above (a line added) or from the left (a line removed), whichever got further. */
function step(furthest: ReadonlyMap<number, number>, k: number, distance: number): number {
  return cameFromAbove(furthest, k, distance) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1
}

const cameFromAbove = (furthest: ReadonlyMap<number, number>, k: number, distance: number): boolean =>
  k === -distance || (k !== distance && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0))

function backtrack(a: readonly string[], b: readonly string[], trace: Map<number, number>[]): Row[] {
  const rows: Row[] = []
  let x = a.length
  let y = b.length
  for (let distance = trace.length - 1; distance >= 0; distance -= 1) {
    const furthest = trace[distance] ?? new Map<number, number>()
    const k = x - y
    const above = cameFromAbove(furthest, k, distance)
    const fromX = furthest.get(above ? k + 1 : k - 1) ?? 0
    const fromY = fromX - (above ? k + 1 : k - 1)
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1
      y -= 1
      rows.push({ sign: ' ', line: a[x] ?? '' })
    }
    if (distance === 0) break
    rows.push(above ? { sign: '+', line: b[fromY] ?? '' } : { sign: '-', line: a[fromX] ?? '' })
    x = fromX
    y = fromY
  }
  return rows.toReversed()
}

function showRows(rows: readonly Row[], firstLine: number): string {
  const shown: string[] = []
  let line = firstLine
  let gap = true
  let left = 0
  for (const [index, row] of rows.entries()) {
    const near = rows
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some(({ sign }) => sign !== ' ')
    if (near && shown.length < MAX_SHOWN) {
      if (gap) shown.push(`@@ line ${line} @@`)
      shown.push(row.sign + clip(row.line.replace(/\r$/u, '')))
    } else if (row.sign !== ' ') left += 1
    gap = !near
    if (row.sign !== '+') line += 1
  }
  if (left > 0) shown.push(`… ${left} more changed lines`)
  return shown.join('\n')
}

const clip = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)
