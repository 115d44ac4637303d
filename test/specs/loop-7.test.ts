import { expect, test } from 'vitest'
import { Workbench } from '../support/workbench.ts'

const write = { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'x' } }] }

test('LOOP-7.1 the turn is Complete when reflection finds the goal achieved, and not before', async () => {
  const bench = new Workbench({
    replies: [
      write,
      { text: 'I am done.' },
      { text: '{"verdict": "continue", "reason": "b.txt is missing"}' },
      { calls: [{ name: 'create_file', input: { path: 'b.txt', content: 'y' } }] },
      { text: 'Both files are there.' },
      { text: 'Looks good: {"verdict": "complete", "reason": "both exist"}' },
    ],
  })
  const turn = await bench.run('create a.txt and b.txt', { reflect: 'changed' })

  expect(turn.phase).toBe('Complete')
  expect(turn.outcome).toBe('complete')
  expect(turn.answer).toBe('Both files are there.')
  const verdicts = bench
    .turnEvents()
    .flatMap((event) => (event.type === 'reflection.recorded' && event.by === 'model' ? [event.verdict] : []))
  expect(verdicts).toEqual(['continue', 'complete'])
  expect(turn.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
})

test('LOOP-7.2 when reflection cannot go on without a person, the turn pauses and asks', async () => {
  const bench = new Workbench({
    replies: [
      write,
      { text: 'Written, but which name did you want?' },
      { text: '{"verdict": "needs_person", "reason": "Which file name do you want?"}' },
      { text: 'Kept a.txt, as you said.' },
    ],
  })
  const turn_id = await bench.start('write a file', { reflect: 'changed' })
  const { pending } = await bench.event('pending.opened')

  expect(pending).toMatchObject({ kind: 'guidance', question: 'Which file name do you want?' })
  const paused = await bench.engine.turn(turn_id)
  expect(paused.phase).toBe('Reflecting')
  expect(paused.outcome).toBeUndefined()

  await bench.must({ type: 'give_guidance', turn_id, text: 'Keep a.txt' })
  await bench.engine.whenIdle(bench.chat)
  const turn = await bench.engine.turn(turn_id)
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'Kept a.txt, as you said.' })
})
