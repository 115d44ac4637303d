import { CURSOR_MARKER } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { sink } from './sink.ts'
import { makeTheme } from './theme.ts'

test('styles and the mark of the cursor pass, everything else a terminal acts on is shown', () => {
  const ours = `${makeTheme('dark', true).paint('plan', 'Plan')}${CURSOR_MARKER} ❯`
  expect(sink(ours)).toBe(ours)
  const theirs = 'a\u001b[2Jb\u001b]0;t\u0007c\u009b31m\rd\ne\u202ef'
  expect(sink(theirs)).toBe('a␛[2Jb␛]0;t␇c\\u{9b}31m␍d␊e\\u{202e}f')
})

test('painting makes text safe, whoever wrote it', () => {
  const theme = makeTheme('dark', false)
  expect(theme.paint('text', '\u001b[31mred\tx\ny')).toBe('␛[31mred  x␊y')
})
