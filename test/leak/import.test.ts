import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { byTask, never } from '../../src/engine/engine.test-support.ts'
import type { Plan } from '../../src/schema/plan.ts'
import { planFor } from '../support/plans.ts'
import { watchedTree } from '../support/watched-tree.ts'
import { Workbench } from '../support/workbench.ts'
import { changes, makeProject } from './support.ts'

const plan = planFor('Make new', 'new.txt')

async function planChat() {
  const folder = makeProject()
  const bench = new Workbench({ folder, model: byTask({ wait: [never] }) })
  const before = watchedTree(folder)
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder, title: 't', agent_mode: 'Plan' })
  const send = (more: object) =>
    bench.engine.execute({
      ...{ type: 'import_plan', chat_id: bench.chat, plan_id: 'plan_1', revision: 1, plan },
      ...more,
    })
  return { bench, folder, before, send }
}

test('an imported plan goes into the plans folder and nowhere else, and does not start', async () => {
  const { bench, folder, before, send } = await planChat()
  const hostile = [
    '../../src',
    'plan_/../../src',
    'plan_a/b',
    'plan_',
    '',
    '/etc/plan_x',
    `plan_${'x'.repeat(99)}`,
  ]
  for (const plan_id of hostile) expect((await send({ plan_id })).accepted, plan_id).toBe(false)
  for (const revision of [0, -1, 1.5, Number.NaN, Infinity, '1' as never])
    expect((await send({ revision })).accepted, String(revision)).toBe(false)
  for (const bad of [{}, { goal: 'g', steps: [] }, { goal: '', steps: ['a'] }])
    expect((await send({ plan: bad as unknown as Plan })).accepted).toBe(false)
  expect(await send({ directory: 'src' })).toEqual({ accepted: true })
  const chat = await bench.engine.whenIdle(bench.chat)
  expect(chat).toMatchObject({
    ...{ config: { agent_mode: 'Plan' }, open_turn: null },
    plan: { plan_id: 'plan_1', status: 'proposed', directory: '.conclave/plans/plan_1', approvals: [] },
  })
  expect(existsSync(join(folder, '.conclave/plans/plan_1/plan.md'))).toBe(true)
  expect(changes(before, watchedTree(folder))).toEqual([])
})

test('a plan cannot be slipped under an agent that is at work', async () => {
  const { bench, send } = await planChat()
  await bench.start('wait')
  expect(await send({})).toEqual({
    ...{ accepted: false, reason: 'the agent is still working; interrupt it or wait' },
  })
})
