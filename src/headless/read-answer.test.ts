import { expect, test } from 'vitest'
import type { Pending } from '../schema/pending.ts'
import { cardText, pendingCard } from '../view/pending-card.ts'
import { readAnswer } from './read-answer.ts'

const command = 'rm -r build && npm run build'
const approval: Pending = {
  id: 'p',
  kind: 'tool_approval',
  call: {
    id: 'c',
    name: 'shell',
    input: { command },
    access: [{ kind: 'command', command, parts: [], looks_read_only: false, notes: ['deletes build'] }],
  },
  hash: 'h',
  reason: 'outside the approved plan',
  severity: 'major',
  always: [{ tool: 'shell', resource: command }],
}
const guidance: Pending = {
  id: 'g',
  kind: 'guidance',
  question: 'What now?',
  context: 'same call',
  extends: 15,
}

test('an approval shows the real bytes, what hides in them and what "always" would grant', () => {
  const text = cardText(pendingCard(approval))
  for (const shown of [
    command,
    'deletes build',
    'outside the approved plan',
    `exactly ${JSON.stringify(command)}`,
  ]) {
    expect(text).toContain(shown)
  }
  const once = { ...approval, always: [] }
  expect(pendingCard(once).choices.map(({ value }) => value)).toEqual(['once', 'deny'])
})

test('a choice is its number or its value; other words only where they are taken', () => {
  expect(readAnswer(approval, '1')).toEqual({ kind: 'tool_approval', decision: 'once', hash: 'h' })
  expect(readAnswer(approval, 'always')).toEqual({ kind: 'tool_approval', decision: 'always', hash: 'h' })
  expect(readAnswer(approval, ' 3 ')).toEqual({ kind: 'tool_approval', decision: 'deny', hash: 'h' })
  for (const wrong of ['4', '0', '-1', '1.5', 'yes please', '']) {
    expect(readAnswer(approval, wrong), wrong).toEqual({ problem: expect.stringContaining('1 (once)') })
  }
  expect(readAnswer(guidance, '1')).toEqual({ kind: 'guidance', decision: 'continue', text: '' })
  expect(readAnswer(guidance, 'stop')).toEqual({ kind: 'guidance', decision: 'stop' })
  expect(readAnswer(guidance, 'look in src')).toEqual({
    kind: 'guidance',
    decision: 'continue',
    text: 'look in src',
  })
})
