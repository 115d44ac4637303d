import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { emoji, graphemes, isPlain, words } from './graphemes.ts'

const everyUnit = Array.from({ length: 0x10000 }, (_, code) => code)

test('what is called plain is one column wide and ends no other character', () => {
  const plain = everyUnit.filter(isPlain)
  expect(plain.length).toBeGreaterThan(1000)
  const segmenter = new Intl.Segmenter()
  const all = String.fromCharCode(...plain)
  expect(Array.from(segmenter.segment(all))).toHaveLength(plain.length)
  expect(plain.filter((code) => visibleWidth(String.fromCharCode(code)) !== 1)).toEqual([])
})

test('a character alone is an emoji two columns wide only where its East Asian width says so', () => {
  // The build leaves the test for emojis out for single code points: it takes 25 ms the first time.
  const wide = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Emoji}/u.test(character) && emoji.test(character))
  expect(wide.length).toBeGreaterThan(1000)
  expect(wide.filter((character) => visibleWidth(character) !== 2)).toEqual([])
})

test('any text falls into the same characters as by Unicode itself', () => {
  const segmenter = new Intl.Segmenter()
  for (const text of ['', 'plain ─ ❯ text', 'e\u0301', '👩‍🚀 a', 'x\u200dy', '日本', 'a\r\nb', '‼\ufe0f']) {
    const { segment } = graphemes
    expect([...segment(text)]).toEqual([...segmenter.segment(text)])
  }
  expect([...words.segment('two words')].map(({ segment }) => segment)).toEqual(['two', ' ', 'words'])
})
