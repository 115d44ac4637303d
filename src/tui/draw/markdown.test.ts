import { stripTerminalSequences } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { StreamingMarkdown, markdownLines } from './markdown.ts'
import { makeTheme } from './theme.ts'

const theme = makeTheme('dark', true)
const text = '# Title\n\nSome *words* here.\n\n```ts\nconst a = 1\n\nconst b = "two"\n```\n\nThe end.\n'

test('text that grows looks at its end as if it had come at once', () => {
  const stream = new StreamingMarkdown(theme, 60)
  let lines: string[] = []
  for (let length = 1; length <= text.length; length++) lines = stream.lines(text.slice(0, length))
  const plain = (list: string[]) => list.map((line) => stripTerminalSequences(line).trimEnd()).filter(Boolean)
  expect(plain(lines)).toEqual(plain(markdownLines(theme, text, 60)))
})

test('code is highlighted, and what a model writes cannot style anything', () => {
  const lines = markdownLines(theme, text, 60)
  expect(lines.join('\n')).toContain(theme.wrap('keyword', 'const'))
  expect(markdownLines(theme, 'a\u001b[31mb', 60).join('')).toBe('a␛[31mb')
})
