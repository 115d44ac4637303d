import { expect, test } from 'vitest'
import type { UserMessage } from '../../view/transcript-item.ts'
import { makeTheme } from '../draw/theme.ts'
import { userMessage } from './messages.ts'

test('a message of megabytes is drawn by its beginning', () => {
  const base = { kind: 'user_message', id: 'a', revision: 1, at: '', stream: 'chat_1' } as const
  const item: UserMessage = { ...base, text: 'pasted\n'.repeat(500_000) }
  const { lines } = userMessage(makeTheme('dark', false), item, { width: 80, expanded: false })
  expect(lines.length).toBeLessThan(10_000)
  expect(lines.at(-1)).toContain('3440000 more characters')
})
