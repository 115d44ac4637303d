/** Two candidates beside each other: what each does to the same lines of the same files. */
export type CompareRow =
  | { kind: 'file'; path: string; left: FileSide; right: FileSide }
  | { kind: 'lines'; left: Cell; right: Cell }
  /** Unchanged lines that neither diff shows. */
  | { kind: 'gap' }

/** What a candidate does to a file; `same`: it leaves it alone. */
export type FileSide = 'new' | 'modified' | 'deleted' | 'binary' | 'same'

export interface Cell {
  sign: '+' | '-' | ' ' | ''
  text: string
}

/** From two unified diffs against the same files. Lines are put beside each other by where they were before. */
export function compareDiffs(left: string, right: string): CompareRow[] {
  const [ours, theirs] = [readDiff(left), readDiff(right)]
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort()
  return paths.flatMap((path) => {
    const [a, b] = [ours.get(path), theirs.get(path)]
    const head: CompareRow = { kind: 'file', path, left: a?.side ?? 'same', right: b?.side ?? 'same' }
    return [head, ...compareFile(a, b)]
  })
}

interface FileDiff {
  side: FileSide
  /** The lines a diff shows, by their number before; `keeps` is false for one that goes. */
  before: Map<number, { text: string; keeps: boolean }>
  /** What is put in after the line with this number. */
  added: Map<number, string[]>
}

function compareFile(a: FileDiff | undefined, b: FileDiff | undefined): CompareRow[] {
  const numbers = new Set<number>()
  for (const file of [a, b])
    for (const map of [file?.before, file?.added]) for (const key of map?.keys() ?? []) numbers.add(key)
  const rows: CompareRow[] = []
  let last = 0
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const known = a?.before.get(number) ?? b?.before.get(number)
    if (known) {
      if (number > last + 1) rows.push({ kind: 'gap' })
      rows.push({ kind: 'lines', left: cellOf(a, number, known), right: cellOf(b, number, known) })
      last = number
    }
    const [ours, theirs] = [a?.added.get(number) ?? [], b?.added.get(number) ?? []]
    for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
      rows.push({ kind: 'lines', left: plus(ours[index]), right: plus(theirs[index]) })
    }
  }
  return rows
}

/** A line that a candidate's diff does not show is as it was. */
function cellOf(file: FileDiff | undefined, number: number, known: { text: string }): Cell {
  const own = file?.before.get(number)
  return { sign: own && !own.keeps ? '-' : ' ', text: known.text }
}

const plus = (text: string | undefined): Cell =>
  text === undefined ? { sign: '', text: '' } : { sign: '+', text }

function readDiff(diff: string): Map<string, FileDiff> {
  const files = new Map<string, FileDiff>()
  let file: FileDiff | undefined
  let number = 0
  let open = 0
  for (const line of diff.split('\n')) {
    if (open > 0 && file && /^[-+ ]/.test(line)) {
      const text = line.slice(1)
      if (line.startsWith('+')) {
        const added = file.added.get(number)
        if (added) added.push(text)
        else file.added.set(number, [text])
      } else file.before.set(++number, { text, keeps: line.startsWith(' ') })
      open -= line.startsWith(' ') ? 2 : 1
      continue
    }
    const named = /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/.exec(line)
    if (named) {
      file = { side: 'modified', before: new Map(), added: new Map() }
      files.set(named[2] ?? '', file)
      open = 0
    } else if (file && line.startsWith('new file')) file.side = 'new'
    else if (file && line.startsWith('deleted file')) file.side = 'deleted'
    else if (file && line.startsWith('Binary files')) file.side = 'binary'
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk) {
      const [, start = '0', gone = '1', come = '1'] = hunk
      // Without lines before, the number names the line after which it stands.
      number = Number(start) - (gone === '0' ? 0 : 1)
      open = Number(gone) + Number(come)
    }
  }
  return files
}
