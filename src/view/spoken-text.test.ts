import { expect, test } from 'vitest'
import { spokenSoFar, spokenText } from './spoken-text.ts'

const plan = { goal: 'Tidy up', steps: [{ action: 'Look' }, { action: 'Sweep' }] }
const fenced = (value: object) => `Before.\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n\nAfter.`

test('a plan is told in words, or dropped where a card shows it', () => {
  expect(spokenText(fenced(plan))).toBe('Before.\n\nPlan: Tidy up (2 steps)\n\nAfter.')
  expect(spokenText(fenced(plan), { data: 'dropped' })).toBe('Before.\n\nAfter.')
  expect(spokenText(JSON.stringify(plan))).toBe('Plan: Tidy up (2 steps)')
})

test('a question is its words', () => {
  expect(spokenText(fenced({ type: 'question', question: 'Tabs?', options: ['yes'] }))).toBe(
    'Before.\n\nTabs?\n\nAfter.',
  )
})

test('other data, and code, stay as they are', () => {
  for (const text of ['plain', '{"a": 1}', '```json\n{"steps": 3}\n```', 'x = {"question": "?"} {'])
    expect(spokenText(text)).toBe(text)
})

test('data that is being written never shows, and words before it only grow', () => {
  const text = fenced(plan)
  let before = ''
  for (let length = 1; length <= text.length; length++) {
    const now = spokenSoFar(text.slice(0, length))
    expect(now).not.toContain('"action"')
    const words = now.replace(/[…`{].*$/s, '').trimEnd()
    expect(words.startsWith(before) || before.startsWith('Before.\n\nPlan')).toBe(true)
    if (!now.includes('…')) before = words
  }
})
