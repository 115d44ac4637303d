const AROUND = 60
const MOST = 5

/** Where two values differ, for people: the path, and what stands there on either side. Empty when they are the same. */
export function describeDifference(recorded: unknown, now: unknown): string {
  const found: string[] = []
  let count = 0
  compare(recorded, now, 'request', (path, a, b) => {
    if (++count <= MOST) found.push(describe(path, a, b))
  })
  if (count > MOST) found.push(`… and ${count - MOST} more differences`)
  return found.join('\n')
}

type Report = (path: string, a: unknown, b: unknown) => void

function compare(a: unknown, b: unknown, path: string, report: Report): void {
  if (a === b) return
  if (!isNode(a) || !isNode(b) || Array.isArray(a) !== Array.isArray(b)) return report(path, a, b)
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const at = Array.isArray(a) ? `${path}[${key}]` : `${path}.${key}`
    compare(left[key], right[key], at, report)
  }
}

const isNode = (value: unknown): boolean => typeof value === 'object' && value !== null

function describe(path: string, a: unknown, b: unknown): string {
  const [left, right] = [show(a), show(b)]
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  return `${path} differs at character ${at}:\n  recorded: ${excerpt(left, at)}\n  now:      ${excerpt(right, at)}`
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '(nothing)')
}

function excerpt(text: string, at: number): string {
  const [start, end] = [Math.max(0, at - AROUND), at + AROUND]
  const shown = JSON.stringify(text.slice(start, end)).slice(1, -1)
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`
}
