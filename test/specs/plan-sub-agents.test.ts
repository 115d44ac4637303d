import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { byTask, calls, recordingModel, says } from '../../src/engine/engine.test-support.ts'
import type { TurnId } from '../../src/schema/ids.ts'
import { executePlan, planFor, proposes, sendExecute } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'

const plan = planFor('Make a', 'a.txt')
const planned = {
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, tools_needed: ['create_file', 'delegate'] })),
}
const subtasks = [{ id: 's', task: 'make the file' }]
const write = (path: string) => calls(['create_file', { path, content: 'x' }])

/** An agent that executes a plan with the help of others. */
function helped(child: ReturnType<typeof says>[], first = calls(['delegate', { subtasks }])) {
  const script: Parameters<typeof byTask>[0] = {
    plan: [says(proposes(planned).text)],
    'make the file': child,
    'what is there?': [says('Nothing is there.')],
  }
  const { model, requests } = recordingModel(byTask(script))
  const bench = new Workbench({
    model: {
      ...model,
      stream(request, signal) {
        const last = request.messages.at(-1)
        const executes = last?.role === 'user' && last.text.startsWith('The person approved this plan')
        if (executes) script[last.text] = [first, says('Done.')]
        return model.stream(request, signal)
      },
    },
  })
  return { bench, requests }
}

test('a sub-agent of an agent that executes a plan reads its own task, and may not report steps', async () => {
  const { bench, requests } = helped([write('a.txt'), says('Made it.')])
  await bench.run('plan', { mode: 'Plan' })
  const turn = await executePlan(bench)
  expect(turn).toMatchObject({ answer: 'Done.', files: [{ path: 'a.txt', change: 'new' }] })
  const asked = requests.filter(
    ({ messages: [head] }) => head?.role === 'user' && head.text === 'make the file',
  )
  expect(asked).toHaveLength(2)
  expect(asked[0]?.tools.map(({ name }) => name)).not.toContain('plan_step')
  const child = await bench.engine.turn(`${turn.turn_id}-1`)
  expect({ entry: toArray(child.entries)[0], steps: child.steps }).toEqual({
    entry: { kind: 'prompt', text: 'make the file' },
    steps: [],
  })
})

test('an explorer sent by an agent that executes a plan reads its question', async () => {
  const { bench } = helped([], calls(['explore', { question: 'what is there?' }]))
  await bench.run('plan', { mode: 'Plan' })
  const turn = await executePlan(bench)
  expect(turn.observations?.last).toMatchObject({ tool: 'explore', output: 'Nothing is there.' })
})

test('the plan bounds its sub-agents too', async () => {
  const { bench } = helped([write('b.txt'), says('I left it.')])
  await bench.run('plan', { mode: 'Plan' })
  await sendExecute(bench)
  const { stream, event } = await bench.until((envelope) => envelope.event.type === 'pending.opened')
  if (event.type !== 'pending.opened') throw new Error('nothing waits')
  expect(event.pending).toMatchObject({ reason: 'outside the approved plan: no step changes b.txt' })
  const answer = { kind: 'tool_approval', decision: 'deny' } as const
  const pending_id = event.pending.id
  await bench.must({ type: 'answer_pending', turn_id: stream as TurnId, pending_id, answer, by: 'test' })
  const { plan: kept } = await bench.engine.whenIdle(bench.chat)
  expect(kept?.status).toBe('complete')
})
