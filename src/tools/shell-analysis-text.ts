const LONG_LINE = 1_000
const PADDING = 60
const BLANK_LINES = 10
const SHOWN = 5
/** A longer text is too long to be approved anyway. */
const LOOKED_AT = 256 * 1024

/** What in a text is there but not seen, or seen but not what it is. Linear: the text comes from a model. */
export function findHiddenText(command: string): string[] {
  const text = command.slice(0, LOOKED_AT)
  const notes: string[] = []
  for (const [pattern, what] of HIDDEN) {
    const found = text.match(pattern)
    if (found) notes.push(`${what}: ${[...new Set(found)].slice(0, SHOWN).map(codePoint).join(', ')}`)
  }
  const mixed = mixedWords(text)
  if (mixed.length > 0) notes.push(`letters that look like others in ${mixed.map(spellOut).join(', ')}`)
  const { line, blanks, ends } = measure(text)
  if (line > LONG_LINE) notes.push(`a line of ${line} characters`)
  if (blanks >= PADDING) notes.push(`${blanks} blanks in a row: what follows may be out of sight`)
  if (ends > BLANK_LINES) notes.push(`${ends} line ends in a row: what follows may be out of sight`)
  return notes
}

const HIDDEN: [RegExp, string][] = [
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, 'control characters'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, 'characters that change the direction of text'],
  [/\p{Default_Ignorable_Code_Point}/gu, 'invisible characters'],
  [/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2800]/gu, 'blanks that are not blanks'],
  [
    /[\uff01-\uff5e\u2010-\u2013\u2024\u2044\u2212\u2215\u2223\u29f8\u02d0\u037e\u01c0\ua789]/gu,
    'signs that look like others',
  ],
]

const WORD = /[\p{L}\p{N}_./-]+/gu
const LATIN = /[A-Za-z]/u
const SAME_SHAPES = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** Words of Latin letters with letters of a script that has the same shapes. */
function mixedWords(text: string): string[] {
  if (!SAME_SHAPES.test(text)) return []
  const words = text.match(WORD) ?? []
  return words.filter((word) => SAME_SHAPES.test(word) && LATIN.test(word)).slice(0, SHOWN)
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const spellOut = (word: string): string =>
  [...word.slice(0, 40)]
    .map((character) => (character > '~' ? `<${codePoint(character)}>` : character))
    .join('')

/** The longest line, run of blanks and run of line ends. */
function measure(text: string): { line: number; blanks: number; ends: number } {
  const most = { line: 0, blanks: 0, ends: 0 }
  let [line, blanks, ends] = [0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isEnd = code === 10
    const isBlank = code === 32 || code === 9
    line = isEnd ? 0 : line + 1
    blanks = isBlank ? blanks + 1 : 0
    ends = isEnd ? ends + 1 : isBlank ? ends : 0
    if (line > most.line) most.line = line
    if (blanks > most.blanks) most.blanks = blanks
    if (ends > most.ends) most.ends = ends
  }
  return most
}
