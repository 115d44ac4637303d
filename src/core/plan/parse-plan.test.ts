import { expect, test } from 'vitest'
import { parsePlan, readPlan } from './parse-plan.ts'

const plan = { goal: 'g', steps: [{ action: 'a' }] }
const read = {
  goal: 'g',
  steps: [{ step_number: 1, action: 'a', reason: '', tools_needed: [] }],
  risks: [],
  prerequisites: [],
}
const text = JSON.stringify(plan)

test.each([
  ['alone', text],
  ['in a fence with prose', `I looked. {not json}\n\`\`\`json\n${text}\n\`\`\`\nThat is it.`],
  ['with trailing commas', '{"goal": "g", "steps": [{"action": "a",},],}'],
  ['with comments', '{"goal": "g", // what\n"steps": [/* one */ {"action": "a"}]}'],
  ['after a brace that is never closed', `In \`if (x) {\` we change things:\n${text}`],
  ['as a list of texts', '{"goal": "g", "steps": ["a"]}'],
  ['in a list', `[${text}]`],
  ['after a byte order mark', `\ufeff${text}`],
])('a plan %s is read', (_, written) => {
  expect(parsePlan(written)).toEqual(read)
})

test('of several plans the last counts: the others are quoted or drafts', () => {
  const old = JSON.stringify({ goal: 'old', steps: ['x'] })
  expect(parsePlan(`Instead of ${old} I propose ${text}`)).toEqual(read)
  expect(parsePlan(`${text} and not {"goal": "no steps"}`)).toEqual(read)
})

test('steps are numbered by their place, and fields that are no texts are left out', () => {
  const found = readPlan({
    goal: ' g ',
    steps: [
      { step_number: 7, action: 'a', reason: 5, tools_needed: 'shell', files: ['x', 3, null, ''] },
      { step_number: 7, action: 'b', reason: ['no'], tools_needed: [{}], estimated_time: 2, extra: true },
    ],
    risks: 'one',
    prerequisites: null,
    estimated_total_time: {},
  })
  expect(found).toEqual({
    goal: 'g',
    steps: [
      { step_number: 1, action: 'a', reason: '5', tools_needed: ['shell'], files: ['x', '3'] },
      { step_number: 2, action: 'b', reason: '', tools_needed: [], estimated_time: '2' },
    ],
    risks: ['one'],
    prerequisites: [],
  })
})

test.each([
  ['no goal', { steps: plan.steps }],
  ['an empty goal', { ...plan, goal: '  ' }],
  ['no steps', { goal: 'g' }],
  ['an empty list of steps', { goal: 'g', steps: [] }],
  ['steps that are no list', { goal: 'g', steps: { 0: plan.steps[0], length: 1 } }],
  ['a step without an action', { goal: 'g', steps: [...plan.steps, { reason: 'r' }] }],
  ['a step that is a list', { goal: 'g', steps: [['a']] }],
  ['101 steps', { goal: 'g', steps: Array.from({ length: 101 }, () => 'a') }],
])('%s is no plan', (_, value) => {
  expect(parsePlan(JSON.stringify(value))).toBeUndefined()
})

test('fields of the prototype count for nothing and change nothing', () => {
  expect(parsePlan('{"__proto__": {"goal": "g", "steps": ["a"]}}')).toBeUndefined()
  expect(parsePlan('{"goal": "g", "steps": [{"__proto__": {"action": "a"}}]}')).toBeUndefined()
  expect(parsePlan('{"__proto__": {"polluted": 1}, "goal": "g", "steps": ["a"]}')).toEqual(read)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('very long texts are cut, not refused', () => {
  const found = parsePlan(JSON.stringify({ goal: 'x'.repeat(10_000), steps: ['y'.repeat(10_000)] }))
  expect([found?.goal.length, found?.steps[0]?.action.length]).toEqual([4_000, 4_000])
})
