import { type Edited, usesCrlf } from './apply-edits.ts'
import { nearestLines } from './nearest-lines.ts'

interface Hunk {
  /** First line the hunk says it is about, from 1; absent when it does not say. */
  line?: number
  rows: { sign: ' ' | '-' | '+'; text: string }[]
  /** The last new line has no line end. */
  open_end: boolean
  /** The last old line has none, or the patch says nothing about it. */
  marked: boolean
}

/**
 * Applies a unified diff of one file: all hunks or none. Context and removed lines must be in the file as they are in the
 * patch; line numbers may be wrong as long as only one place fits. Counts in the headers are not believed.
 */
export function applyPatch(text: string, patch: string): Edited {
  const hunks = readHunks(patch)
  if ('problem' in hunks) return hunks
  const eol = usesCrlf(text) ? '\r\n' : '\n'
  const lines = withEnds(text)
  const bare = lines.map((line) => line.replace(/\r?\n$/u, ''))
  const notes: string[] = []
  const result: string[] = []
  let taken = 0
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.rows.filter(({ sign }) => sign !== '+').map((row) => row.text)
    const place = findPlace(bare, old, taken, hunk)
    if ('problem' in place) return { problem: `hunk ${index + 1} of ${hunks.length}: ${place.problem}` }
    if (hunk.line !== undefined && place.at !== hunk.line - 1 && old.length > 0) {
      notes.push(`hunk ${index + 1} was applied at line ${place.at + 1} instead of ${hunk.line}`)
    }
    result.push(...lines.slice(taken, place.at))
    let at = place.at
    for (const { sign, text } of hunk.rows) {
      if (sign === '+') result.push(text + eol)
      else {
        if (sign === ' ') result.push(lines[at] ?? '')
        at += 1
      }
    }
    taken = at
    if (taken === lines.length) closeEnd(result, hunk, text === '' || text.endsWith('\n'), eol)
  }
  result.push(...lines.slice(taken))
  // A line end is missing where lines were put after a last line that had none.
  const whole = result.map((line, index) =>
    index < result.length - 1 && !line.endsWith('\n') ? line + eol : line,
  )
  return { text: whole.join(''), ...(notes.length > 0 && { notes }) }
}

function readHunks(patch: string): Hunk[] | { problem: string } {
  const hunks: Hunk[] = []
  const lines = patch.split('\n').map((line) => line.replace(/\r$/u, ''))
  if (lines.at(-1) === '') lines.pop()
  let files = 0
  for (const [index, line] of lines.entries()) {
    const hunk = hunks.at(-1)
    if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) {
      files += 1
      if (files > 1 || hunk) return { problem: 'the patch is about several files; send one call for each' }
    } else if (line.startsWith('@@')) {
      const number = /^@@ -(\d{1,9})/u.exec(line)?.[1]
      hunks.push({
        ...(number !== undefined && { line: Math.max(1, Number(number)) }),
        rows: [],
        open_end: false,
        marked: false,
      })
    } else if (!hunk) continue
    else if (line.startsWith('\\')) {
      hunk.marked = true
      hunk.open_end = hunk.rows.at(-1)?.sign !== '-'
    } else if (line === '') hunk.rows.push({ sign: ' ', text: '' })
    else if (line[0] === ' ' || line[0] === '+' || line[0] === '-') {
      hunk.rows.push({ sign: line[0], text: line.slice(1) })
    } else if (!/^(?:diff|index|new|old|similarity|rename) /u.test(line)) {
      return {
        problem: `the patch has a line that starts with neither " ", "+", "-" nor "@@": ${line.slice(0, 80)}`,
      }
    }
  }
  if (hunks.length === 0)
    return { problem: 'the patch has no hunk; each starts with @@ -line,count +line,count @@' }
  return hunks
}

function findPlace(
  lines: readonly string[],
  old: readonly string[],
  from: number,
  { line }: Hunk,
): { at: number } | { problem: string } {
  if (old.length === 0) {
    if (lines.length === 0) return { at: 0 }
    return { problem: 'it has no context; give at least one line that is in the file' }
  }
  const fitting: number[] = []
  for (let at = from; at + old.length <= lines.length; at += 1) {
    if (old.every((text, index) => text === lines[at + index])) fitting.push(at)
  }
  const [first] = fitting
  if (line !== undefined && fitting.includes(line - 1)) return { at: line - 1 }
  if (first !== undefined && fitting.length === 1) return { at: first }
  if (first === undefined) {
    return {
      problem: `its lines are not in the file like this${nearestLines(lines.join('\n'), old.join('\n'))}`,
    }
  }
  const shown = fitting.slice(0, 5).map((at) => at + 1)
  return {
    problem: `it fits ${fitting.length} places, at line ${shown.join(', ')}; add context until only one fits`,
  }
}

/** The end of the file stays as it was unless the patch says otherwise. */
function closeEnd(result: string[], hunk: Hunk, hadEnd: boolean, eol: string): void {
  const last = result.at(-1)
  if (last === undefined) return
  const ends = hunk.marked ? !hunk.open_end : hadEnd
  result[result.length - 1] = last.replace(/\r?\n$/u, '') + (ends ? eol : '')
}

const withEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? []
