import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TeamBench, answers, votesFor } from '../support/team-bench.ts'

const says = (words: string) => `The answer is ${words}.`

test('three agents that agree at once need three answers, three votes at most, and one presentation', async () => {
  const bench = new TeamBench({
    files: { 'a.txt': 'old\n' },
    agents: {
      a: [answers(says('apple')), votesFor('banana')],
      b: [answers(says('banana')), votesFor('banana'), { text: 'Banana it is.' }],
      c: [answers(says('cherry')), votesFor('banana')],
    },
  })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Banana it is.' })
  expect(run.decision).toMatchObject({ winner: 'b', label: 'agent2.1' })
  expect(run.usage.model_calls).toBeLessThanOrEqual(7)
  expect(run.usage.model_calls).toBeGreaterThanOrEqual(6)
  const { messages } = await bench.engine.open(bench.chat)
  expect(messages?.last).toMatchObject({ text: 'Banana it is.', agent_id: 'b', run_id: run.run_id })
})

test('the winner works in a copy, and its files come into the folder only after the vote', async () => {
  const bench = new TeamBench({
    files: { 'a.txt': 'old\n' },
    agents: {
      a: [
        { calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'from a\n' } }] },
        answers('I made new.txt'),
        votesFor('new.txt'),
        { text: 'new.txt is there.' },
      ],
      b: [answers('I would not make it'), votesFor('new.txt')],
    },
  })
  const run = await bench.run('make new.txt')
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'new.txt is there.' })
  expect(readFileSync(join(bench.folder, 'new.txt'), 'utf8')).toBe('from a\n')
  expect(run.applied?.files).toMatchObject([{ path: 'new.txt', change: 'new' }])
  expect(run.writes?.files).toMatchObject([{ path: 'new.txt', change: 'new' }])
  expect(run.writes?.footer).toContain('Files written to context paths:')
  expect(readFileSync(join(bench.folder, run.log_directory ?? '', 'coordination.md'), 'utf8')).toContain(
    'votes agent1.1',
  )
})
