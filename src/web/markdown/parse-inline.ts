export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] }
  /** Never loaded: shown by its words and its address. */
  | { kind: 'image'; url: string; text: string }
  | { kind: 'break' }

/** Emphasis, code, links. Linear in the text: where the next closing mark is gets looked up once. */
export function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = []
  const next = finder(text)
  let plain = ''
  const flush = (): void => {
    if (plain) found.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < text.length;) {
    const read = depth < deepest ? readAt(text, at, depth, next) : undefined
    if (read) {
      flush()
      found.push(read.inline)
      at = read.end
    } else {
      const escaped = text[at] === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')
      plain += escaped ? (text[at + 1] ?? '') : (text[at] ?? '')
      at += escaped ? 2 : 1
    }
  }
  flush()
  return found
}

const deepest = 5

interface Read {
  inline: Inline
  end: number
}

type Finder = (needle: string, from: number) => number

function readAt(text: string, at: number, depth: number, next: Finder): Read | undefined {
  switch (text[at]) {
    case '\n':
      return { inline: { kind: 'break' }, end: at + 1 }
    case '`':
      return readCode(text, at, next)
    case '*':
    case '_':
    case '~':
      return readEmphasis(text, at, depth, next)
    case '!':
      return text[at + 1] === '[' ? readLink(text, at + 1, depth, next, 'image') : undefined
    case '[':
      return readLink(text, at, depth, next, 'link')
    case '<':
      return readAngle(text, at, next)
    case 'h':
      return readBare(text, at)
    default:
      return undefined
  }
}

function readCode(text: string, at: number, next: Finder): Read | undefined {
  let width = 1
  while (text[at + width] === '`' && width < 10) width++
  const close = next('`'.repeat(width), at + width)
  if (close === -1) return undefined
  return { inline: { kind: 'code', text: text.slice(at + width, close).trim() }, end: close + width }
}

function readEmphasis(text: string, at: number, depth: number, next: Finder): Read | undefined {
  const mark = text[at] ?? ''
  const double = text[at + 1] === mark
  if (mark === '~' && !double) return undefined
  const marks = double ? mark + mark : mark
  const start = at + marks.length
  if (isSpace(text[start]) || (mark === '_' && isWord(text[at - 1]))) return undefined
  const close = next(marks, start + 1)
  if (close === -1 || isSpace(text[close - 1])) return undefined
  if (mark === '_' && isWord(text[close + marks.length])) return undefined
  const kind = mark === '~' ? 'deleted' : double ? 'strong' : 'emphasis'
  const children = parseInline(text.slice(start, close), depth + 1)
  return { inline: { kind, children }, end: close + marks.length }
}

function readLink(
  text: string,
  at: number,
  depth: number,
  next: Finder,
  kind: 'link' | 'image',
): Read | undefined {
  const middle = next('](', at + 1)
  if (middle === -1 || middle - at > 1000) return undefined
  const close = closing(text, middle + 2, next)
  if (close === -1 || close - middle > 4000) return undefined
  const label = text.slice(at + 1, middle)
  const url = (
    text
      .slice(middle + 2, close)
      .trim()
      .split(/\s/, 1)[0] ?? ''
  ).replace(/^<|>$/g, '')
  if (kind === 'image') return { inline: { kind, url, text: label }, end: close + 1 }
  return { inline: { kind, url, children: parseInline(label, depth + 1) }, end: close + 1 }
}

/** Addresses may hold a few brackets of their own. */
function closing(text: string, from: number, next: Finder): number {
  let close = next(')', from)
  for (let tries = 0; close !== -1 && tries < 3; tries++) {
    const inner = text.slice(from, Math.min(close, from + 4000))
    if (inner.split('(').length <= inner.split(')').length) break
    close = next(')', close + 1)
  }
  return close
}

function readAngle(text: string, at: number, next: Finder): Read | undefined {
  if (!startsAddress(text, at + 1)) return undefined
  const close = next('>', at + 1)
  if (close === -1 || close - at > 4000) return undefined
  const url = text.slice(at + 1, close)
  return /\s/.test(url) ? undefined : { inline: link(url), end: close + 1 }
}

function readBare(text: string, at: number): Read | undefined {
  if (!startsAddress(text, at) || isWord(text[at - 1])) return undefined
  let end = at
  while (end < text.length && !/[\s<>"'`)\]*]/.test(text[end] ?? '')) end++
  while (/[.,;:!?]/.test(text[end - 1] ?? '')) end--
  return { inline: link(text.slice(at, end)), end }
}

const link = (url: string): Inline => ({ kind: 'link', url, children: [{ kind: 'text', text: url }] })

const startsAddress = (text: string, at: number): boolean =>
  text.startsWith('https://', at) || text.startsWith('http://', at)

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character)

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** `indexOf` that remembers: asked with growing positions it looks at every character once for each needle. */
function finder(text: string): Finder {
  const known = new Map<string, number>()
  return (needle, from) => {
    const before = known.get(needle)
    if (before !== undefined && (before === -1 || before >= from)) return before
    const found = text.indexOf(needle, from)
    known.set(needle, found)
    return found
  }
}
