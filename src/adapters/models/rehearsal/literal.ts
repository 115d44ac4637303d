import type { Language } from './language.ts'

/** A comment, a string, or the text between the tags of a markup file. Ends are exclusive. */
export interface Span {
  start: number
  end: number
  kind: 'comment' | 'string' | 'prose'
}

/** Where the comments and strings of a file are, in order. Unclosed ones end where their language ends them. */
export function literalSpans(text: string, language: Language): Span[] {
  if (language.name === 'HTML') return textBetweenTags(text)
  const spans: Span[] = []
  let at = 0
  while (at < text.length) {
    const span = spanAt(text, at, language)
    if (span) spans.push(span)
    at = span ? span.end : at + (isCharacterLiteral(text, at) ? 3 : 1)
  }
  return spans
}

/**
 * Whether an ordinary word inside a comment, string or sentence is meant as a name: it is called, quoted as code, part
 * of a path like `cart.total`, documented as a parameter, or it is the whole string.
 */
export function readsAsName(text: string, at: number, name: string, span: Span | undefined): boolean {
  const end = at + name.length
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(Math.max(lineStart, at - 400), at)
  if (text[end] === '(' || /[$\p{L}\p{N}_)\]](?:\.|::|->|#)$/u.test(before)) return true
  if (/[@:\\](?:param|arg|link|see|linkcode|code)\s+(?:\{[^{}]*\}\s*)?$/.test(before)) return true
  if (span?.kind !== 'string') return (before.split('`').length - 1) % 2 === 1
  const content = text.slice(span.start, span.end).replace(/^["'`]+|["'`]+$/g, '')
  return content === name
}

/** Code inside a string: `${total}`, `#{total}`, `{total}`, `$total`. */
export const isInterpolated = (text: string, at: number, span: Span): boolean =>
  span.kind === 'string' && (text[at - 1] === '$' || hasOpenBrace(text.slice(span.start, at)))

function spanAt(text: string, at: number, language: Language): Span | undefined {
  for (const [open, close] of language.blockComments) {
    if (!text.startsWith(open, at)) continue
    const end = text.indexOf(close, at + open.length)
    return { start: at, end: end === -1 ? text.length : end + close.length, kind: 'comment' }
  }
  for (const marker of language.lineComments) {
    if (text.startsWith(marker, at) && beginsComment(text, at, marker)) {
      const end = text.indexOf('\n', at)
      return { start: at, end: end === -1 ? text.length : end, kind: 'comment' }
    }
  }
  for (const quote of language.quotes) {
    if (text.startsWith(quote, at))
      return { start: at, end: endOfString(text, at, quote, language), kind: 'string' }
  }
  return undefined
}

/** `#` also occurs in `$#`, `${#x}` and colours, `//` in addresses. */
function beginsComment(text: string, at: number, marker: string): boolean {
  const before = text[at - 1] ?? '\n'
  if (marker === '#') return /\s/.test(before)
  return marker !== '//' || before !== ':'
}

function endOfString(text: string, start: number, quote: string, language: Language): number {
  const spans = quote.length > 1 || language.spanning.includes(quote)
  let at = start + quote.length
  while (at < text.length) {
    if (text.startsWith(quote, at)) return at + quote.length
    if (text[at] === '\n' && !spans) return at
    at += text[at] === '\\' ? 2 : 1
  }
  return text.length
}

/** A quotation mark as a character, `'"'`, opens no string. */
const isCharacterLiteral = (text: string, at: number): boolean => text[at] === "'" && text[at + 2] === "'"

function hasOpenBrace(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
  }
  return depth > 0
}

function textBetweenTags(text: string): Span[] {
  const spans: Span[] = []
  let at = 0
  while (at < text.length) {
    const isComment = text.startsWith('<!--', at)
    const close = isComment ? '-->' : '>'
    if (text[at] === '<') {
      const found = text.indexOf(close, at)
      const end = found === -1 ? text.length : found + close.length
      if (isComment) spans.push({ start: at, end, kind: 'comment' })
      at = end
    } else {
      const next = text.indexOf('<', at)
      const end = next === -1 ? text.length : next
      spans.push({ start: at, end, kind: 'prose' })
      at = end
    }
  }
  return spans
}
