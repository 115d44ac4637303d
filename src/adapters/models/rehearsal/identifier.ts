import { isFileReference } from './file-reference.ts'
import { type Language, languageOf } from './language.ts'
import { isInterpolated, literalSpans, readsAsName } from './literal.ts'

export interface Place {
  /** Offset of the first character in the text. */
  at: number
  length: number
  line: number
  kind: 'code' | 'comment' | 'string' | 'prose'
  /** False for part of a file name, and for a word of a sentence that only happens to read like the name. */
  isUse: boolean
}

/** Every place in a file where `name` stands as a whole identifier of that file's language, in order. */
export function findIdentifier(text: string, name: string, path: string): Place[] {
  const language = languageOf(path)
  const spelled = spelledIn(language, name)
  const offsets = wholeOccurrences(text, spelled, language)
  if (offsets.length === 0) return []
  const spans = language.prose ? [] : literalSpans(text, language)
  let line = 1
  let counted = 0
  let next = 0
  return offsets.map((at) => {
    line += countNewlines(text, counted, at)
    counted = at
    while ((spans[next]?.end ?? Infinity) <= at) next++
    const span = spans[next]
    const inside = span && span.start <= at && !isInterpolated(text, at, span) ? span : undefined
    const kind = language.prose ? 'prose' : (inside?.kind ?? 'code')
    const isUse =
      !isFileReference(text, at, spelled, language, inside) &&
      (kind === 'code' || !isPlainWord(spelled) || readsAsName(text, at, spelled, inside))
    return { at, length: spelled.length, line, kind, isUse }
  })
}

/** The same text with every use of `from` replaced; ordinary words are left alone. */
export function renameIdentifier(text: string, from: string, to: string, path: string): string {
  const replacement = replacementFor(from, to, path)
  let renamed = ''
  let done = 0
  for (const { at, length, isUse } of findIdentifier(text, from, path)) {
    if (!isUse) continue
    renamed += text.slice(done, at) + replacement
    done = at + length
  }
  return renamed + text.slice(done)
}

/** The new name as it is written in that file. */
export const replacementFor = (from: string, to: string, path: string): string =>
  from.startsWith('$') ? spelledIn(languageOf(path), to) : to

/** Whether a person could mean an identifier by this in at least one language. */
export const isIdentifier = (name: string): boolean =>
  name.length <= 200 && /^(?:[@$]|--)?[\p{L}_$][\p{L}\p{N}\p{M}_$-]*[?!]?$/u.test(name)

/** `total`, `Order`: as likely a word of a sentence as a name. `calcTotal`, `TOTAL` and `order_total` are not. */
export const isPlainWord = (name: string): boolean => /^\p{L}\p{Ll}*$/u.test(name)

/** Where `$` is not part of a name, as in shell scripts, `$total` is a use of `total`. */
const spelledIn = (language: Language, name: string): string =>
  name.startsWith('$') && !language.extra.includes('$') && !language.prose ? name.slice(1) : name

function wholeOccurrences(text: string, name: string, language: Language): number[] {
  const offsets: number[] = []
  if (name === '') return offsets
  // In a sentence a hyphen joins `btn-primary` but not `calcTotal-based`.
  const joined = name.includes('-') || (language.prose && isPlainWord(name)) ? '-' : ''
  const extra = language.extra + joined + (name.includes('$') ? '$' : '')
  let at = text.indexOf(name)
  while (at !== -1) {
    const isHit = isWhole(text, at, name, extra, language.endings)
    if (isHit) offsets.push(at)
    at = text.indexOf(name, at + (isHit ? name.length : 1))
  }
  return offsets
}

function isWhole(text: string, at: number, name: string, extra: string, endings: string): boolean {
  const end = at + name.length
  const after = characterAt(text, end)
  if (belongs(characterBefore(text, at), extra) || belongs(after, extra)) return false
  // Ruby's `save!` is another name than `save`, but `save != x` compares.
  const isOperator = after === '!' && (text[end + 1] === '=' || text[end + 1] === '~')
  return after === '' || isOperator || !endings.includes(after)
}

const belongs = (character: string, extra: string): boolean =>
  character !== '' && (/[\p{L}\p{N}\p{M}_]/u.test(character) || extra.includes(character))

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function characterBefore(text: string, end: number): string {
  const unit = end > 0 ? text.charCodeAt(end - 1) : 0
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff
  return text.slice(Math.max(0, isLowSurrogate ? end - 2 : end - 1), end)
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
