/** One line of a side-by-side view; a side that is empty has no line there. */
export interface DiffRow {
  kind: 'same' | 'changed' | 'place'
  left?: DiffCell
  right?: DiffCell
  /** Of a `place`: where the next lines are. */
  text?: string
}

export interface DiffCell {
  number?: number
  text: string
  changed: boolean
}

/** A unified diff, or one that names only the first line (`@@ line 7 @@`), as rows of two sides. Removed and added lines that follow each other stand side by side. */
export function parseDiff(text: string): DiffRow[] {
  const rows: DiffRow[] = []
  let left = 1
  let right = 1
  let removed: DiffCell[] = []
  let added: DiffCell[] = []
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      rows.push({ kind: 'changed', left: removed[index], right: added[index] })
    }
    removed = []
    added = []
  }
  /** Before these nothing is a header: what was removed can begin with `-- `. */
  let [leftEnd, rightEnd] = [0, 0]
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const found = /^@@ (?:line (\d+)|-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?)/.exec(line)
    const isInside = left < leftEnd || right < rightEnd
    if (found || (!isInside && /^(diff |index |--- |\+\+\+ )/.test(line))) {
      flush()
      if (found) {
        const [, at, from = at, old = 1, to = from, fresh = 1] = found
        ;[left, right] = [Number(from), Number(to)]
        const isOpen = at !== undefined
        ;[leftEnd, rightEnd] = isOpen ? [Infinity, Infinity] : [left + Number(old), right + Number(fresh)]
      }
      rows.push({ kind: 'place', text: line })
    } else if (line.startsWith('-')) removed.push({ number: left++, text: line.slice(1), changed: true })
    else if (line.startsWith('+')) added.push({ number: right++, text: line.slice(1), changed: true })
    else if (!line.startsWith('\\')) {
      flush()
      const cell = { text: line.slice(1), changed: false }
      rows.push({ kind: 'same', left: { number: left++, ...cell }, right: { number: right++, ...cell } })
    }
  }
  flush()
  return rows
}
