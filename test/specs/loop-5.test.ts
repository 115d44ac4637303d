import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import type { Model, ModelMessage, ModelPart } from '../../src/ports/model.ts'
import { Workbench } from '../support/workbench.ts'

/** Searches everywhere, unless a correction names a folder; with neither left to do, it answers. */
function searcher(onFirstSearch: () => Promise<void>): Model & { requests: ModelMessage[][] } {
  const requests: ModelMessage[][] = []
  return {
    label: 'searcher',
    requests,
    async *stream({ messages }): AsyncGenerator<ModelPart> {
      requests.push([...messages])
      const correction = messages.findLast(
        (message) => message.role === 'user' && message.text.startsWith('Correction'),
      )
      const last = messages.at(-1)
      if (last?.role === 'tool' && correction) return yield { type: 'text', text: 'found it in src/utils' }
      const path = correction ? { path: 'src/utils' } : {}
      if (!correction) await onFirstSearch()
      yield {
        type: 'call',
        id: '1',
        name: 'search_code',
        arguments: JSON.stringify({ pattern: 'needle', ...path }),
      }
    },
  }
}

test('LOOP-5.1 a correction given while the agent observes changes its next plan', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`lib/f${i}.txt`, 'needle\n']))
  let correct = async () => {}
  const model = searcher(() => correct())
  const bench = new Workbench({ files: { ...files, 'src/utils/hit.txt': 'needle here\n' }, model })
  correct = async () => {
    const { open_turn } = await bench.engine.open(bench.chat)
    if (!open_turn) throw new Error('no turn')
    await bench.must({ type: 'give_guidance', turn_id: open_turn.turn_id, text: 'Search only in src/utils' })
  }
  const turn = await bench.run('find the needle')

  const [first, second] = toArray(turn.observations)
  expect(first?.input).toEqual({ pattern: 'needle' })
  expect(second?.input).toEqual({ pattern: 'needle', path: 'src/utils' })
  expect(second?.output).toContain('src/utils/hit.txt:1')
  expect(turn.answer).toBe('found it in src/utils')
  const planning = bench
    .turnEvents()
    .filter((event) => event.type === 'phase.entered' && event.phase === 'Planning')
  expect(planning[1]).toMatchObject({ iteration: 2, guidance: ['Search only in src/utils'] })
  expect(model.requests[1]?.at(-1)).toMatchObject({
    role: 'user',
    text: expect.stringContaining('Search only in src/utils'),
  })
})

test('LOOP-5.2 an agent that goes in circles asks, and takes the alternative it is given', async () => {
  const again = { calls: [{ name: 'read_file', input: { path: 'config.txt' } }] }
  const bench = new Workbench({
    files: { 'config.txt': 'nothing\n', 'other.txt': 'the answer\n' },
    replies: [
      ...[again, again, again],
      { text: '{"verdict": "continue", "reason": "one more look"}' },
      ...[again, again, again],
      { calls: [{ name: 'read_file', input: { path: 'other.txt' } }] },
      { text: 'It was in other.txt.' },
    ],
  })
  const turn_id = await bench.start('find the answer')
  const { pending } = await bench.event('pending.opened')
  expect(pending).toMatchObject({ kind: 'guidance', context: expect.stringContaining('3 times') })
  expect((await bench.engine.turn(turn_id)).phase).toBe('Reflecting')

  const answer = { kind: 'guidance', decision: 'continue', text: 'Look into other.txt instead' } as const
  await bench.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
  const again2 = await bench.engine.execute({
    type: 'answer_pending',
    turn_id,
    pending_id: pending.id,
    answer,
    by: 'late',
  })
  expect(again2.accepted).toBe(false)
  await bench.engine.whenIdle(bench.chat)

  const turn = await bench.engine.turn(turn_id)
  expect(turn.answer).toBe('It was in other.txt.')
  expect(toArray(turn.entries)).toContainEqual({ kind: 'guidance', text: 'Look into other.txt instead' })
  expect(turn.observations?.last.input).toEqual({ path: 'other.txt' })
})
