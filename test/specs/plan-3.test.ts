import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diffPlans } from '../../src/core/plan/diff-plans.ts'
import { parsePlan } from '../../src/core/plan/parse-plan.ts'
import { toArray } from '../../src/core/list.ts'
import { planFor, planOf, proposes, sendExecute } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'

const plan = {
  goal: 'Log in without a race',
  steps: [
    {
      step_number: 1,
      action: 'Wait for the expiry in src/refresh.js',
      reason: 'The fixed delay loses the race',
      tools_needed: ['update_file'],
      estimated_time: '2 min',
    },
    { step_number: 2, action: 'Run the tests', reason: 'Proof', tools_needed: ['shell'] },
  ],
  estimated_total_time: '5 min',
  risks: ['billing uses the same clock'],
  prerequisites: ['a clean checkout'],
}

test('PLAN-3.1 a request in Plan mode ends in a plan that is parsed, stored and readable', async () => {
  const bench = new Workbench({
    files: { 'src/refresh.js': 'setTimeout(refresh, 200)\n' },
    replies: [{ calls: [{ name: 'read_file', input: { path: 'src/refresh.js' } }] }, proposes(plan)],
  })
  const turn = await bench.run('fix the flaky login', { mode: 'Plan' })
  expect(toArray(turn.observations)).toMatchObject([{ tool: 'read_file', success: true }])

  await bench.engine.whenIdle(bench.chat)
  const { plan_id, directory, ...kept } = await planOf(bench)
  expect(kept).toMatchObject({ plan, revision: 1, status: 'proposed' })
  expect(directory).toBe(`.conclave/plans/${plan_id}`)
  const read = (name: string) => readFileSync(join(bench.folder, directory, name), 'utf8')
  expect(JSON.parse(read('plan.json'))).toEqual({
    ...{ plan_id, revision: 1, status: 'proposed', chat_id: bench.chat },
    plan,
  })
  expect(JSON.parse(read('revisions/r1.json'))).toEqual(plan)
  for (const words of [
    '# Log in without a race',
    '1. [ ] Wait for the expiry in src/refresh.js\n   - why: The fixed delay loses the race',
    'tools: update_file',
    'time: 2 min',
    'about 5 min',
    '- billing uses the same clock',
    '- a clean checkout',
  ]) {
    expect(read('plan.md')).toContain(words)
  }
  // Goal and steps are enough.
  const least = parsePlan('{"goal": "g", "steps": [{"action": "a"}]}')
  expect(least).toMatchObject({ goal: 'g', steps: [{ step_number: 1, action: 'a' }], risks: [] })
})

test('PLAN-3.2 feedback leads to revisions, each a message of its own, and only the newest can be approved', async () => {
  const first = planFor('Make files', 'a.txt')
  const second = planFor('Make files', 'a.txt', 'b.txt')
  const third = { ...second, goal: 'Make two files' }
  const bench = new Workbench({ replies: [first, second, third].map(proposes) })
  await bench.run('make a', { mode: 'Plan' })
  await bench.run('and b')
  await bench.run('say in the goal that it is two')

  const chat = await bench.engine.whenIdle(bench.chat)
  const { plan_id } = await planOf(bench)
  const messages = toArray(chat.messages)
  expect(messages.map(({ role, message_type, plan }) => [role, message_type, plan])).toEqual(
    [1, 2, 3].flatMap((revision) => [
      ['user', 'Text', undefined],
      ['agent', 'Plan', { plan_id, revision }],
    ]),
  )
  expect(new Set(messages.map(({ id }) => id)).size).toBe(6)
  expect(diffPlans(first, second)).toEqual([{ kind: 'added', step_number: 2, text: 'Change b.txt' }])
  expect(chat.plan).toMatchObject({ plan: third, revision: 3 })
  expect(chat.plan?.changes).toEqual([{ kind: 'changed', text: 'goal: Make two files' }])
  for (const [index, stored] of [first, second, third].entries()) {
    const file = join(bench.folder, `.conclave/plans/${plan_id}/revisions/r${index + 1}.json`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(stored)
  }
  expect(await sendExecute(bench, { revision: 2 })).toEqual({
    accepted: false,
    reason: 'the plan was revised meanwhile: look at revision 3',
  })
  expect((await bench.engine.open(bench.chat)).config.agent_mode).toBe('Plan')
})

test('PLAN-3.3 a reply that holds a valid plan is a Plan message, any other is a Text message', async () => {
  const replies = [
    proposes(plan).text,
    'Just words.',
    '{"goal": "no steps", "steps": []}',
    '{"steps": [{"action": "no goal"}]}',
    '{"goal": "g", "steps": [{"reason": "no action"}]}',
    '{"goal": "g", "steps": "not a list"}',
    'broken {"goal": "g", "steps": [',
  ]
  for (const [index, text] of replies.entries()) {
    const bench = new Workbench({ replies: [{ text }] })
    await bench.run('plan it', { mode: 'Plan' })
    const chat = await bench.engine.whenIdle(bench.chat)
    const valid = index === 0
    expect(chat.messages?.last, text).toMatchObject({ message_type: valid ? 'Plan' : 'Text', text })
    expect(chat.plan !== null, text).toBe(valid)
  }
  // The same words in Act mode propose nothing.
  const bench = new Workbench({ replies: [proposes(plan)] })
  await bench.run('do it')
  const chat = await bench.engine.open(bench.chat)
  expect({ type: chat.messages?.last.message_type, plan: chat.plan }).toEqual({ type: 'Text', plan: null })
})
