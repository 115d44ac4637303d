import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { create, executePlan, planFor, planOf, proposes } from '../support/plans.ts'
import { Program, readResult } from '../support/program.ts'
import { Workbench } from '../support/workbench.ts'

const additions = 'Write "hello" into it.\nAnd   keep {these} spaces.'

test('MODE-3.3 a plan approved with additional instructions is executed with them, word for word', async () => {
  const { model, requests } = recordingModel(
    scriptedModel([
      proposes(planFor('Make both', 'a.txt', 'b.txt')),
      { calls: [create('a.txt', 'hello\n')] },
      { text: 'Made a.txt.' },
    ]),
  )
  const bench = new Workbench({ model })
  await bench.run('make both', { mode: 'Plan' })
  const turn = await executePlan(bench, {
    additions,
    reviews: [
      { step_number: 1, decision: 'approve', edit: 'Make a.txt first', comment: 'carefully' },
      { step_number: 2, decision: 'skip' },
    ],
  })

  const chat = await bench.engine.open(bench.chat)
  const { plan_id, directory } = await planOf(bench)
  expect(chat.config.agent_mode).toBe('Act')
  expect(turn).toMatchObject({ outcome: 'complete', settings: { mode: 'Act', plan: { plan_id, additions } } })
  const told = requests[1]?.messages.at(-1)
  const text = told && 'text' in told ? told.text : ''
  expect(text).toContain(`The person approved this plan (kept in ${directory})`)
  expect(text).toContain('Goal: Make both')
  expect(text).toContain(`Additional instructions from the person:\n${additions}`)
  expect(text).toContain('1. Make a.txt first')
  expect(text).toContain('the person says: carefully')
  expect(text).toContain('2. SKIPPED by the person, do not do it: Change b.txt')
  expect(chat.plan?.steps[1]).toEqual({ step_number: 2, status: 'skipped' })
  expect(readFileSync(join(bench.folder, directory, 'plan.md'), 'utf8')).toContain('Write "hello" into it.')

  // The same from the command line: `plan`, then `execute-plan --add`.
  const program = new Program()
  const plan = program.replies(proposes(planFor('Make a', 'a.txt')))
  const planned = readResult((await program.run(['plan', 'make a', plan, '--output-format', 'json'])).stdout)
  expect(existsSync(join(program.folder, 'a.txt'))).toBe(false)
  const model2 = program.replies({ text: '' }, { calls: [create('a.txt', 'hello\n')] }, { text: 'Made it.' })
  const executed = await program.run([
    ...[
      'execute-plan',
      planned.plan?.plan_id ?? '',
      '--add',
      additions,
      model2,
      '--output-format',
      'stream-json',
    ],
  ])
  expect(executed.code).toBe(0)
  expect(executed.stdout).toContain(JSON.stringify(additions))
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('hello\n')
})

test('a query in Plan mode runs the planning phase and leaves a plan for the approval to preview', async () => {
  const bench = new Workbench({ replies: [proposes(planFor('Make a', 'a.txt'))] })
  const turn = await bench.run('make a', { mode: 'Plan' })
  const { messages, plan } = await bench.engine.whenIdle(bench.chat)
  expect(turn.settings.mode).toBe('Plan')
  expect(messages?.last).toMatchObject({
    message_type: 'Plan',
    plan: { plan_id: plan?.plan_id, revision: 1 },
  })
  expect(existsSync(join(bench.folder, plan?.directory ?? '', 'plan.md'))).toBe(true)
})

test('a turn that executes a plan says so and where the plan is, for any display', async () => {
  const bench = new Workbench({ replies: [proposes(planFor('Make a', 'a.txt')), { text: 'Later.' }] })
  await bench.run('make a', { mode: 'Plan' })
  await executePlan(bench)
  const opened = await bench.until(
    ({ event }) => event.type === 'turn.opened' && event.settings.plan !== undefined,
  )
  const { directory } = await planOf(bench)
  expect(opened.event).toMatchObject({ settings: { mode: 'Act', plan: { directory } } })
})
