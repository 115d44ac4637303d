/** What a person could miss in a text they are to approve. */
export function hiddenParts(text: string): string[] {
  const found: string[] = []
  const invisible =
    count(text, /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029]/gu) - count(text, /[\t\n\r]/g)
  if (invisible > 0) found.push(`${plural(invisible, 'invisible character')}, shown as \\u{…}`)
  const foreign = text.match(
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}Ａ-ｚ]/gu,
  )
  if (foreign && /[a-z]/i.test(text)) {
    const shown = [...new Set(foreign)].slice(0, 5).map((letter) => `${letter} (U+${hex(letter)})`)
    found.push(`${plural(foreign.length, 'letter')} that look like others: ${shown.join(' ')}`)
  }
  const blanks = text.match(/[^\S\n]{12,}|\n{4,}/g)
  if (blanks)
    found.push(
      `a stretch of ${Math.max(...blanks.map(({ length }) => length))} blanks; there is more after it`,
    )
  const lines = text.split('\n').length
  if (lines > 20) found.push(`${lines} lines`)
  return found
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const plural = (amount: number, word: string): string => `${amount} ${word}${amount === 1 ? '' : 's'}`

const hex = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
