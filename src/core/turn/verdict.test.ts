import { expect, test } from 'vitest'
import { readVerdict } from './verdict.ts'

test.each(['continue', 'complete', 'needs_person', 'failed'] as const)(
  'the verdict %s is read',
  (verdict) => {
    const text = `I looked again.\n\`\`\`json\n{"verdict": "${verdict}", "reason": "because"}\n\`\`\``
    expect(readVerdict(text, 'finished')).toEqual({ verdict, reason: 'because' })
  },
)

test.each([
  ['words only', 'All good.'],
  ['a verdict nobody knows', '{"verdict": "splendid"}'],
  ['a verdict of another type', '{"verdict": true}'],
  ['a broken object', '{"verdict": "failed"'],
])('%s leave things as they were: a finished turn is complete, a stopped one goes on', (_, text) => {
  expect(readVerdict(text, 'finished').verdict).toBe('complete')
  expect(readVerdict(text, 'guardrail').verdict).toBe('continue')
})

test('without a reason the words of the reply are the reason, cut to a readable length', () => {
  expect(readVerdict('  Fine.\n', 'finished').reason).toBe('Fine.')
  expect(readVerdict('{"verdict": "failed", "reason": 7}', 'finished').reason).toContain('"failed"')
  expect(readVerdict('x'.repeat(2_000), 'finished').reason).toHaveLength(500)
})
