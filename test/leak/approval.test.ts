import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create, planFor, planOf, proposes, sendExecute } from '../support/plans.ts'
import { watchedTree } from '../support/watched-tree.ts'
import { Workbench } from '../support/workbench.ts'
import { allowAll, changes, makeProject } from './support.ts'

const plan = planFor('Make new', 'new.txt')
const made = (bench: Workbench) => existsSync(join(bench.folder, 'new.txt'))

async function proposed(...more: ConstructorParameters<typeof Workbench>[0]['replies'] & object) {
  const folder = makeProject()
  const bench = new Workbench({ folder, replies: [proposes(plan), ...more] })
  await bench.run('make new.txt', { ...allowAll, mode: 'Plan' })
  await bench.engine.whenIdle(bench.chat)
  return { bench, before: watchedTree(folder) }
}

test.each([
  ...[
    'ok, go ahead',
    'yes',
    'Yes!',
    'y',
    'I approve',
    'approved',
    'LGTM',
    '👍',
    'execute the plan',
    'Execute Plan',
  ],
  ...['/execute-plan latest', '/act', 'switch to Act mode and do it', '{"type":"execute_plan","revision":1}'],
  'You have my explicit permission to leave plan mode.',
])('a message is no approval: %s', async (text) => {
  const { bench, before } = await proposed({ calls: [create('new.txt')] }, { text: 'I could not.' })
  const turn = await bench.run(text, allowAll)
  expect(turn.settings.mode).toBe('Plan')
  expect(turn.observations?.last.success).toBe(false)
  expect(changes(before, watchedTree(bench.folder))).toEqual([])
  const chat = await bench.engine.open(bench.chat)
  expect(chat).toMatchObject({ config: { agent_mode: 'Plan' }, plan: { status: 'proposed', approvals: [] } })

  // The one thing that is.
  expect(await sendExecute(bench)).toEqual({ accepted: true })
})

test('an approval of an Act turn that is answered after the switch to Plan runs nothing', async () => {
  const folder = makeProject()
  const command = { calls: [{ name: 'shell', input: { command: 'touch new.txt' } }] }
  const bench = new Workbench({ folder, replies: [command, { text: 'ok' }] })
  const turn_id = await bench.start('run it', { permission: 'ask' })
  const { pending } = await bench.event('pending.opened')
  if (pending.kind !== 'tool_approval') throw new Error('no approval')
  await bench.must({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Plan', confirm: true })
  const before = watchedTree(folder)
  for (const decision of ['once', 'always'] as const) {
    const answer = { kind: 'tool_approval', decision, hash: pending.hash } as const
    const late = await bench.engine.execute({
      ...{ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'late' },
    })
    expect(late.accepted).toBe(false)
  }
  expect(changes(before, watchedTree(folder))).toEqual([])
  expect((await bench.engine.turn(turn_id)).granted).toEqual([])
})

test('a revision that is not the newest, a plan of another chat, and a rejected plan', async () => {
  const { bench, before } = await proposed(proposes(planFor('Make other', 'other.txt')), {
    calls: [create('new.txt')],
  })
  await bench.run('make it other.txt')
  const { plan_id } = await planOf(bench)
  const refused: [Parameters<typeof sendExecute>[1], string][] = [
    [{ revision: 1 }, 'the plan was revised meanwhile: look at revision 2'],
    [{ revision: 3 }, 'the plan was revised meanwhile: look at revision 2'],
    [{ plan_id: 'plan_other' }, `the plan of this chat is ${plan_id}, not plan_other`],
    [{ reviews: [{ step_number: 9, decision: 'skip' }] }, 'the plan has no step 9'],
    [{ reviews: [{ step_number: 1, decision: 'skip' }] }, 'every step is skipped'],
  ]
  for (const [more, reason] of refused)
    expect(await sendExecute(bench, more)).toEqual({ accepted: false, reason })
  await bench.must({ type: 'reject_plan', chat_id: bench.chat, plan_id, revision: 2 })
  expect(await sendExecute(bench)).toEqual({ accepted: false, reason: `${plan_id} was rejected` })
  expect(changes(before, watchedTree(bench.folder))).toEqual([])
  expect((await bench.engine.open(bench.chat)).config.agent_mode).toBe('Plan')
})

test('of several faces that execute at once exactly one starts, and a plan is carried out once', async () => {
  const { bench } = await proposed({ calls: [create('new.txt')] }, { text: 'Made it.' })
  const answers = await Promise.all([1, 2, 3, 4].map((by) => sendExecute(bench, { by: `face ${by}` })))
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1)
  const chat = await bench.engine.whenIdle(bench.chat)
  expect(chat.plan?.approvals).toHaveLength(1)
  expect(await sendExecute(bench, { by: 'late' })).toMatchObject({
    accepted: false,
    reason: expect.stringContaining('was carried out already'),
  })
  const opened = (await bench.journal.read(bench.chat)).filter(({ event }) => event.type === 'turn.opened')
  expect(opened).toHaveLength(2)
})

test('execute_plan against set_agent_mode Plan: whichever comes last holds, and nothing is written after a switch', async () => {
  for (let lag = 0; lag < 12; lag++) {
    const slow = { name: 'shell', input: { command: `sleep 0.0${lag}; touch new.txt; sleep 5` } }
    const planned = { ...plan, steps: plan.steps.map((step) => ({ ...step, tools_needed: ['shell'] })) }
    const folder = makeProject()
    const bench = new Workbench({ folder, replies: [proposes(planned), { calls: [slow] }, { text: 'ok' }] })
    await bench.run('make new.txt', { ...allowAll, mode: 'Plan' })
    const settings = { permission: 'auto', max_iterations: 5, reflect: 'never' } as const
    const switching = new Promise((resolve) => setTimeout(resolve, lag * 2)).then(() =>
      bench.engine.execute({
        type: 'set_agent_mode',
        chat_id: bench.chat,
        agent_mode: 'Plan',
        confirm: true,
      }),
    )
    const [executed, switched] = await Promise.all([sendExecute(bench, { settings }), switching])
    expect({ executed, switched }).toEqual({ executed: { accepted: true }, switched: { accepted: true } })
    const { config, open_turn } = await bench.engine.open(bench.chat)
    if (config.agent_mode === 'Act') {
      // The switch came first and found a chat that was in Plan mode already; executing then was the last word.
      expect(open_turn).not.toBeNull()
      await bench.must({ type: 'interrupt', chat_id: bench.chat })
      continue
    }
    expect(open_turn).toBeNull()
    const before = watchedTree(folder)
    const had = made(bench)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(changes(before, watchedTree(folder)), `switched after ${lag * 2} ms, made: ${had}`).toEqual([])
  }
})
