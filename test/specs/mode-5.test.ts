import { expect, test } from 'vitest'
import { TeamBench, answers, votesFor } from '../support/team-bench.ts'

test('MODE-5.1 one agent without refinement goes from its answer to the presentation, without a vote', async () => {
  const bench = new TeamBench({ agents: { a: [answers('forty-two')] }, team: 'single', refinement: false })
  const run = await bench.run('the answer?')

  expect(bench.settings().coordination).toMatchObject({ skip_voting: true })
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'forty-two' })
  expect(run.decision?.reason).toBe('skipped')
  expect(bench.events('vote.cast')).toEqual([])
  expect(bench.events('presentation.started')).toMatchObject([{ agent_id: 'a', makes_call: false }])
  expect(bench.requests['a']).toHaveLength(1)
})

test('MODE-5.2 a team without refinement answers once, on its own, and votes when all have answered', async () => {
  const bench = new TeamBench({
    refinement: false,
    agents: {
      a: [{ ...answers('apple'), delay_ms: 80 }, answers('a better apple'), votesFor('banana')],
      b: [answers('banana'), votesFor('banana'), { text: 'banana, with a little apple' }],
    },
  })
  expect(bench.settings().coordination).toMatchObject({
    max_new_answers_per_agent: 1,
    disable_injection: true,
    defer_voting_until_all_answered: true,
    final_answer_strategy: 'synthesize',
  })
  const run = await bench.run('which fruit?')

  expect(run.finished?.final_answer).toBe('banana, with a little apple')
  expect(bench.events('answer.submitted').map(({ label }) => label)).toEqual(['agent2.1', 'agent1.1'])
  expect(bench.events('answer.rejected').map(({ agent_id }) => agent_id)).toEqual(['a'])
  const order = bench.envelopes.map(({ event }) => event.type)
  expect(order.lastIndexOf('answer.submitted')).toBeLessThan(order.indexOf('voting.opened'))
  expect(bench.events('update.injected')).toEqual([])
})
