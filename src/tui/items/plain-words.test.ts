import { expect, test } from 'vitest'
import { plainWords } from './plain-words.ts'

test('the marks go, the words stay', () => {
  for (const [line, words] of [
    ['## Why it fails', 'Why it fails'],
    ['Wait for the **expiry** of `the token`.', 'Wait for the expiry of the token.'],
    ['- see [the docs](https://example.com/x)', '- see the docs'],
    ['> ~~old~~ **new**', 'old new'],
  ] as const)
    expect(plainWords(line)).toBe(words)
})

test('what only looks like marks stays', () => {
  for (const line of ['2 ** 3 ** 4', 'snake_case and __init__', '#hash', 'a * b', '-1 is less', '`open'])
    expect(plainWords(line)).toBe(line)
})
