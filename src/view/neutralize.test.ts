import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neutralize, safeJson } from './neutralize.ts'

/** What must never be sent, as code points. */
const ranges = (
  '0-8 b-1f 7f-9f ad-ad 34f-34f 61c-61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f ' +
  '3164-3164 feff-feff ffa0-ffa0 fff9-fffb 1d173-1d17a e0000-e0fff'
)
  .split(' ')
  .map((range) => range.split('-').map((code) => Number.parseInt(code, 16)) as [number, number])

const isHostile = (text: string): boolean =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0).some((code) =>
    ranges.some(([first, last]) => first <= code && code <= last),
  )

test('leaves text that is only text as it is', () => {
  for (const text of ['', 'plain\ttext\n', 'naïve 漢字 🙂 ❤️ é', 'العربية עברית', 'e\u0301']) {
    expect(neutralize(text)).toBe(text)
    expect(safeJson(text)).toBe(JSON.stringify(text))
  }
})

test('shows control characters instead of sending them', () => {
  expect(neutralize('\u001b[31mred\u0007')).toBe('␛[31mred␇')
  expect(neutralize('a\u0000b\u007fc')).toBe('a␀b␡c')
  expect(neutralize('\u009b31m')).toBe('\\u{9b}31m')
  expect(neutralize('user\u202etxt.exe')).toBe('user\\u{202e}txt.exe')
  expect(neutralize('a\u200bb\u{e0041}')).toBe('a\\u{200b}b\\u{e0041}')
})

test('takes CRLF for a line end, and a lone CR for what it is', () => {
  expect(neutralize('one\r\ntwo')).toBe('one\ntwo')
  expect(neutralize('good\rbad')).toBe('good␍bad')
})

test('takes away all of every escape sequence that works', () => {
  const sequences = [
    '\u001b[2J',
    '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\',
    '\u001b]52;c;aGk=\u0007',
    '\u001bP+q\u001b\\',
    '\u001b_G\u001b\\',
    '\u0090q\u009c',
    '\u009d0;x\u009c',
    '\u001bc',
  ]
  for (const sequence of sequences) expect(isHostile(neutralize(sequence)), sequence).toBe(false)
})

test('lets nothing through, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)))
      .map((all) => all.join('')),
    fc
      .array(fc.constantFrom('\u001b', '[', ']', '\u009b', '\r', '\n', '\ud83d', '\udc00', 'm'))
      .map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      const shown = neutralize(given)
      return !isHostile(shown) && neutralize(shown) === shown
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(text, (given) => {
      const json = safeJson({ [given]: [given] })
      return (
        !isHostile(json) &&
        !json.includes('\n') &&
        JSON.stringify(JSON.parse(json)) === JSON.stringify({ [given]: [given] })
      )
    }),
    { numRuns: 1000 },
  )
  expect(safeJson('\u{e0041}\u202e')).toBe('"\\udb40\\udc41\\u202e"')
})
