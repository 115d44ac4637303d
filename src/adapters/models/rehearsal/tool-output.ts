/** What the tools print, read back. A line that does not look as expected is left out, never guessed at. */

export interface Hit {
  path: string
  line: number
  text: string
  /** The line was too long to be shown whole. */
  clipped: boolean
}

/** `path:line:text` per hit. A path may hold colons itself, so the first `:digits:` counts. */
export function readHits(output: string): { hits: Hit[]; cut: boolean } {
  const hits: Hit[] = []
  let cut = false
  for (const line of output.split('\n')) {
    const found = /^("(?:[^"\\]|\\.)*"|.+?):(\d+):(.*)$/s.exec(line)
    if (found) {
      const text = found[3] ?? ''
      const clipped = /\[\.\.\. (?:\d+ more match(?:es)?|omitted end of long line)\]$/.test(text)
      hits.push({ path: normal(shownPath(found[1] ?? '')), line: Number(found[2]), text, clipped })
    } else if (/^… and (?:perhaps )?more\b/.test(line)) cut = true
  }
  return { hits, cut }
}

export interface Page {
  lines: string[]
  /** Where to read on, when there is more, and how many lines there are in all if that is known. */
  next?: number
  total?: number
  /** Why what was shown is not what the file holds. */
  inexact?: string
}

/** Numbered lines, then perhaps notes about the rest. */
export function readPage(output: string): Page {
  const page: Page = { lines: [] }
  for (const line of output.split('\n')) {
    const numbered = /^ *\d+\t(.*)$/s.exec(line)
    if (numbered) {
      const text = numbered[1] ?? ''
      if (/… \[line clipped: \d+ bytes in all\]$/.test(text))
        page.inexact = 'it has lines too long to be shown whole'
      page.lines.push(text)
      continue
    }
    if (line.startsWith('(not valid UTF-8')) page.inexact = 'it is not valid UTF-8'
    const next = /^(?:…|\[).*\boffset (\d+)/.exec(line)?.[1]
    const total = /^(?:…|\[).*\bof (\d+)/.exec(line)?.[1]
    if (next !== undefined) page.next = Number(next)
    if (total !== undefined) page.total = Number(total)
  }
  return page
}

export interface Entry {
  /** Relative to the folder that was listed. */
  path: string
  kind: 'file' | 'folder' | 'other'
  bytes: number
}

/** Two spaces per level; folders end in a slash, files are followed by their size. */
export function readListing(output: string): { entries: Entry[]; cut: boolean } {
  const entries: Entry[] = []
  const parents: string[] = []
  let cut = false
  for (const line of output.split('\n')) {
    if (/^… and more\b/.test(line)) cut = true
    const found = /^((?: {2})*)(\S.*?)(\/|\s{2}([\d.]+) (B|kB|MB)|\s{2}\([^()]+\))$/.exec(line)
    if (!found) continue
    const level = (found[1] ?? '').length / 2
    const path = [...parents.slice(0, level), shownPath(found[2] ?? '')].join('/')
    parents.length = level
    const isFolder = found[3] === '/'
    if (isFolder) parents.push(shownPath(found[2] ?? ''))
    const unit = { B: 1, kB: 1_000, MB: 1_000_000 }[found[5] ?? 'B'] ?? 1
    const kind = isFolder ? 'folder' : found[4] === undefined ? 'other' : 'file'
    entries.push({ path, kind, bytes: Math.round(Number(found[4] ?? 0) * unit) })
  }
  return { entries, cut }
}

export const normal = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')

/** A path with control characters in it is shown as JSON. */
function shownPath(shown: string): string {
  if (!shown.startsWith('"')) return shown
  try {
    return String(JSON.parse(shown))
  } catch {
    return shown
  }
}
