import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { create, planFor, proposes } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'

const question = '{"type": "question", "question": "Which?", "options": ["a", "b"]}'

test('CHAT-3.1 a Plan turn enters no tool-execution state and parses plans; an Act turn acts and asks', async () => {
  const plan = new Workbench({
    files: { 'a.txt': 'a\n' },
    replies: [
      { calls: [{ name: 'read_file', input: { path: 'a.txt' } }, create('b.txt')] },
      { calls: [{ name: 'explore', input: { question: 'what is there?' } }] },
      proposes(planFor('Make b', 'b.txt')),
    ],
  })
  const planned = await plan.run('make b', { mode: 'Plan' })
  expect(new Set(toArray(planned.visited))).toEqual(
    new Set(['Idle', 'Planning', 'Observing', 'Reflecting', 'Complete']),
  )
  const phases = plan.turnEvents().filter((event) => event.type === 'phase.entered')
  expect(phases.map(({ phase }) => phase)).not.toContain('Acting')
  await plan.until(({ event }) => event.type === 'plan.proposed')

  // A question in Plan mode is part of the discussion: nothing is at work that could pause.
  const talk = new Workbench({ replies: [{ text: question }] })
  const talked = await talk.run('hm', { mode: 'Plan' })
  expect(talked).toMatchObject({ outcome: 'complete', pendings_opened: 0 })
  expect((await talk.engine.open(talk.chat)).messages?.last.message_type).toBe('Question')

  const act = new Workbench({
    replies: [{ calls: [create('b.txt')] }, { text: question }, { text: 'Done.' }],
  })
  const turn_id = await act.start('make b')
  const { pending } = await act.event('pending.opened')
  expect(pending.kind).toBe('question')
  expect((await act.engine.turn(turn_id)).phase).toBe('Reflecting')
  const answer = { kind: 'question', value: 'a' } as const
  await act.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
  await act.engine.whenIdle(act.chat)
  const acted = await act.engine.turn(turn_id)
  expect(toArray(acted.visited)).toContain('Acting')
  expect(acted.outcome).toBe('complete')
})
