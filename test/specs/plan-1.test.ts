import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { toArray } from '../../src/core/list.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { create, executePlan, planFor, planOf, proposes, replace, sendExecute } from '../support/plans.ts'
import { watchedTree } from '../support/watched-tree.ts'
import { Workbench, temporaryFolder, writeFiles } from '../support/workbench.ts'

const project = {
  'src/a.js': 'export const a = 1\n',
  'src/b.js': 'export const b = 2\n',
  '.conclave/plans/.keep': '',
}

test('PLAN-1.1 in Plan mode an agent reads, searches and lists, makes a plan and changes nothing', async () => {
  const { model, requests } = recordingModel(
    scriptedModel([
      {
        calls: [
          { name: 'read_file', input: { path: 'src/a.js' } },
          { name: 'search_code', input: { pattern: 'const b' } },
          { name: 'list_directory', input: { path: 'src' } },
        ],
      },
      { calls: [create('src/c.js'), replace('src/a.js', '1', '3')] },
      proposes(planFor('Raise a', 'src/a.js')),
    ]),
  )
  const folder = temporaryFolder()
  writeFiles(folder, project)
  const before = watchedTree(folder)
  const bench = new Workbench({ folder, model })
  const turn = await bench.run('raise a to 3', { mode: 'Plan' })

  expect(watchedTree(folder)).toEqual(before)
  expect(turn.files).toEqual([])
  const observed = toArray(turn.observations)
  const came = observed.map(({ tool, success }) => `${tool} ${success ? 'ok' : 'refused'}`)
  // Reads run side by side.
  expect(came.slice(0, 3).sort()).toEqual(['list_directory ok', 'read_file ok', 'search_code ok'])
  expect(came.slice(3)).toEqual(['create_file refused', 'update_file refused'])
  expect(observed[3]?.error).toContain('in Plan mode nothing may be changed')
  expect(toArray(turn.visited)).not.toContain('Acting')
  const offered = requests[0]?.tools.map(({ name }) => name)
  expect(offered).toEqual(expect.arrayContaining(['read_file', 'search_code', 'list_directory']))
  expect(offered).not.toContain('create_file')

  // The plan waits for the person: it is proposed, and nothing has begun.
  await bench.engine.whenIdle(bench.chat)
  expect(await planOf(bench)).toMatchObject({ status: 'proposed', revision: 1, approvals: [] })
  const { open_turn, config } = await bench.engine.open(bench.chat)
  expect({ open_turn, ...config }).toEqual({ open_turn: null, agent_mode: 'Plan' })
})

test('PLAN-1.2 in Act mode the approved plan is executed to its end, and what goes beyond it is asked', async () => {
  const step = (step_number: number, status: string) => ({
    name: 'plan_step',
    input: { step_number, status },
  })
  const { model, requests } = recordingModel(
    scriptedModel([
      proposes(planFor('Raise both', 'src/a.js', 'src/b.js')),
      { calls: [step(1, 'running'), replace('src/a.js', '1', '10'), step(1, 'done')] },
      // A small adjustment inside the plan's own file.
      { calls: [step(2, 'running'), replace('src/b.js', '2\n', '20\n// both raised\n'), step(2, 'done')] },
      { calls: [{ name: 'delete_file', input: { path: 'src/a.js' } }] },
      { text: 'Raised a and b; I also added a comment to src/b.js. src/a.js was kept.' },
    ]),
  )
  const bench = new Workbench({ files: project, model })
  await bench.run('raise both', { mode: 'Plan' })
  expect(await sendExecute(bench)).toEqual({ accepted: true })

  const { pending } = await bench.event('pending.opened')
  expect(pending).toMatchObject({
    kind: 'tool_approval',
    call: { name: 'delete_file' },
    severity: 'major',
  })
  const { open_turn } = await bench.engine.open(bench.chat)
  if (!open_turn) throw new Error('no turn')
  const answer = { kind: 'tool_approval', decision: 'deny' } as const
  const { turn_id } = open_turn
  await bench.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
  const chat = await bench.engine.whenIdle(bench.chat)

  const turn = await bench.engine.turn(turn_id)
  expect(turn).toMatchObject({ outcome: 'complete', answer: expect.stringContaining('added a comment') })
  expect(readFileSync(join(bench.folder, 'src/a.js'), 'utf8')).toBe('export const a = 10\n')
  expect(readFileSync(join(bench.folder, 'src/b.js'), 'utf8')).toContain('20\n// both raised')
  expect(chat.config.agent_mode).toBe('Act')
  expect(chat.plan).toMatchObject({
    status: 'complete',
    steps: [
      { step_number: 1, status: 'done' },
      { step_number: 2, status: 'done' },
    ],
  })
  const offered = requests.at(-1)?.tools.map(({ name }) => name)
  for (const name of ['read_file', 'create_file', 'update_file', 'delete_file', 'shell', 'plan_step'])
    expect(offered).toContain(name)
  expect(requests[1]?.messages.at(-1)).toMatchObject({
    role: 'user',
    text: expect.stringContaining('The person approved this plan'),
  })
})

test('an agent that stops before its plan is done is asked about the steps that are left', async () => {
  const bench = new Workbench({
    files: project,
    replies: [
      proposes(planFor('Raise both', 'src/a.js', 'src/b.js')),
      { calls: [{ name: 'plan_step', input: { step_number: 1, status: 'running' } }] },
      { text: 'I think that is it.' },
      { text: '{"verdict": "continue", "reason": "both steps are open"}' },
      { calls: [replace('src/a.js', '1', '10')] },
      { text: 'Raised a; b is blocked.' },
      { text: '{"verdict": "complete", "reason": "b cannot be raised"}' },
    ],
  })
  await bench.run('raise both', { mode: 'Plan' })
  const turn = await executePlan(bench, {
    settings: { permission: 'ask', max_iterations: 15, reflect: 'changed' },
  })
  const asked = bench.turnEvents().find((event) => event.type === 'reflection.requested')
  expect(asked).toMatchObject({ detail: 'steps of the plan not reported as done: 1 running, 2 pending' })
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'Raised a; b is blocked.' })
})

test('the mode of a chat is in its stored state and in every change of it, for any indicator to show', async () => {
  const bench = new Workbench({ replies: [{ text: 'Hello.' }] })
  await bench.run('hello', { mode: 'Plan' })
  await bench.must({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Act' })
  const changed = await bench.until(({ event }) => event.type === 'chat_config.changed')
  expect(changed).toMatchObject({ stream: bench.chat, event: { config: { agent_mode: 'Act' } } })
  expect((await bench.engine.open(bench.chat)).config).toEqual({ agent_mode: 'Act' })
})
