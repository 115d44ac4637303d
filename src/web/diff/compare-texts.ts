import type { DiffRow } from './parse-diff.ts'

/** Unchanged lines shown around a change. */
const around = 3
/** Texts further apart than this are shown as one block removed and one added. */
const furthest = 400

/** Two texts as rows of two sides, with only a little of what is the same. */
export function compareTexts(before: string, after: string): DiffRow[] {
  const a = linesOf(before)
  const b = linesOf(after)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const kept = commonLines(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const pairs = kept.map(([left, right]): [number, number] => [left + start, right + start])
  const head = Array.from({ length: start }, (_, index): [number, number] => [index, index])
  const tail = Array.from({ length: end }, (_, index): [number, number] => [
    a.length - end + index,
    b.length - end + index,
  ])
  return fold(rowsOf(a, b, [...head, ...pairs, ...tail]))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Everything between two lines that are the same was changed; old and new stand side by side. */
function rowsOf(a: string[], b: string[], same: [number, number][]): DiffRow[] {
  const rows: DiffRow[] = []
  let [left, right] = [0, 0]
  for (const [nextLeft, nextRight] of [...same, [a.length, b.length] as const]) {
    for (; left < nextLeft || right < nextRight;) {
      const old = left < nextLeft ? { number: left + 1, text: a[left++] ?? '', changed: true } : undefined
      const fresh =
        right < nextRight ? { number: right + 1, text: b[right++] ?? '', changed: true } : undefined
      rows.push({ kind: 'changed', left: old, right: fresh })
    }
    if (left === a.length && right === b.length) break
    const text = a[left] ?? ''
    rows.push({
      kind: 'same',
      left: { number: ++left, text, changed: false },
      right: { number: ++right, text, changed: false },
    })
  }
  return rows
}

function fold(rows: DiffRow[]): DiffRow[] {
  const near = new Set<number>()
  for (const [index, { kind }] of rows.entries()) {
    if (kind === 'changed') for (let by = -around; by <= around; by++) near.add(index + by)
  }
  return rows.flatMap((row, index): DiffRow[] => {
    if (near.has(index)) return [row]
    const isFirst = index === 0 || near.has(index - 1)
    return isFirst ? [{ kind: 'place', text: `line ${row.left?.number ?? 1} and on are the same` }] : []
  })
}

/** Index pairs of lines both have, in order: Myers' greedy search for the fewest changes. */
function commonLines(a: string[], b: string[]): [number, number][] {
  const reached = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let distance = 0; distance <= Math.min(a.length + b.length, furthest); distance++) {
    trace.push(new Map(reached))
    for (let k = -distance; k <= distance; k += 2) {
      let x = from(reached, k, distance)
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reached.set(k, x)
      if (x >= a.length && x - k >= b.length) return wayBack(a.length, b.length, trace)
    }
  }
  return []
}

const isDown = (reached: ReadonlyMap<number, number>, k: number, distance: number): boolean =>
  k === -distance || (k !== distance && (reached.get(k - 1) ?? 0) < (reached.get(k + 1) ?? 0))

const from = (reached: ReadonlyMap<number, number>, k: number, distance: number): number =>
  isDown(reached, k, distance) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1

function wayBack(endX: number, endY: number, trace: Map<number, number>[]): [number, number][] {
  const same: [number, number][] = []
  let [x, y] = [endX, endY]
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const reached = trace[distance] ?? new Map<number, number>()
    const k = x - y
    const before = isDown(reached, k, distance) ? k + 1 : k - 1
    const [startX, startY] = [reached.get(before) ?? 0, (reached.get(before) ?? 0) - before]
    while (x > startX && y > startY && x > 0 && y > 0) same.push([--x, --y])
    ;[x, y] = [startX, startY]
  }
  return same.toReversed()
}
