import { expect, test } from 'vitest'
import type { ToolCallItem } from '../../view/transcript-item.ts'
import { makeTheme } from '../draw/theme.ts'
import { toolCall } from './tool-call.ts'

const diff = '@@ line 1 @@\n-one\n+two\n three\n'
const item: ToolCallItem = {
  ...{ kind: 'tool_call', id: 'a', revision: 1, at: '', stream: 'turn_1' },
  call: { id: 'c1', name: 'update_file', input: { path: 'a.txt' } },
  ...{ name: 'update_file', summary: 'a.txt', status: 'ok', read_only: false, diff },
  output: {
    text: `updated a.txt (+1 −1)\n${diff}`,
    ...{ length: 50, clipped: false, source: { stream: 'turn_1', call_id: 'c1' } },
  },
}

test('a change that is shown whole is shown once, although the result repeats it', () => {
  const { lines } = toolCall(makeTheme('dark', false), item, { width: 60, expanded: true })
  const shown = lines.join('\n')
  expect(shown.match(/\+two/g)).toHaveLength(1)
  expect(shown).toContain('updated a.txt (+1 −1)')
})

test('folded, the changed lines are shown without those around them', () => {
  const { lines } = toolCall(makeTheme('dark', false), item, { width: 60, expanded: false })
  expect(lines.slice(1).map((line) => line.trim())).toEqual([expect.stringContaining('-one'), '+two'])
})
