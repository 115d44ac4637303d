import { expect, test } from 'vitest'
import type { AgentMessage, UserMessage } from '../../view/transcript-item.ts'
import { makeTheme } from '../draw/theme.ts'
import { agentMessage, userMessage } from './messages.ts'

test('a message of megabytes is drawn by its beginning', () => {
  const base = { kind: 'user_message', id: 'a', revision: 1, at: '', stream: 'chat_1' } as const
  const item: UserMessage = { ...base, text: 'pasted\n'.repeat(500_000) }
  const { lines } = userMessage(makeTheme('dark', false), item, { width: 80, expanded: false })
  expect(lines.length).toBeLessThan(10_000)
  expect(lines.at(-1)).toContain('3440000 more characters')
})

test('the answer to a question is told by its label, and by whom when it was not this terminal', () => {
  const pending = {
    ...{ kind: 'question', id: 'p', question: 'Delete it?', context: '', severity: 'major' },
    options: [{ value: 'n', label: 'No, keep it' }],
  } as unknown as NonNullable<AgentMessage['pending']>
  const item: AgentMessage = {
    ...{ kind: 'agent_message', id: 'a', revision: 1, at: '', stream: 'turn_1', message_type: 'Question' },
    ...{ text: 'Delete it?', pending, answer: { kind: 'question', value: 'n' } },
  }
  const last = (by: string) =>
    agentMessage(makeTheme('dark', false), { ...item, answered_by: by }, { width: 80, expanded: false })
      .lines.at(-1)
      ?.trim()
  expect(last('terminal')).toContain('↳ No, keep it')
  expect(last('terminal')).not.toContain('(')
  expect(last('web')).toContain('↳ No, keep it')
  expect(last('web')).toContain('(you, in the browser)')
})
