import { expect, test } from 'vitest'
import { TeamBench, answers, gated, votesFor } from '../support/team-bench.ts'

const look = { calls: [{ name: 'list_directory', input: { path: '.' } }] }

test('MODE-7.1 with injection disabled nobody hears of the others, and nobody is restarted', async () => {
  const bench = new TeamBench({
    coordination: { disable_injection: true },
    agents: {
      a: [answers('the quick fox'), votesFor('quick fox'), { text: 'the fox' }],
      b: [
        look,
        { ...look, delay_ms: 60 },
        { ...look, delay_ms: 60 },
        answers('the slow dog'),
        votesFor('quick fox'),
      ],
    },
  })
  const run = await bench.run('who?')
  expect(run.finished?.status).toBe('complete')
  expect(bench.events('update.injected')).toEqual([])
  const working = bench.requests['b']?.slice(0, 4) ?? []
  expect(working).toHaveLength(4)
  expect(JSON.stringify(working)).not.toContain('quick fox')
  const firsts = bench.events('agent.started').filter(({ purpose }) => purpose === 'answer')
  expect(firsts.map(({ agent_id }) => agent_id)).toEqual(['a', 'b'])
})

test('an agent that has answered hears of a newer answer at its next tool boundary, and never before its own', async () => {
  const happens = (type: string, count: number) => (team: TeamBench) =>
    team.until(() => team.envelopes.filter(({ event }) => event.type === type).length >= count)
  const bench: TeamBench = new TeamBench({
    agents: {
      // Its second look ends only when the other has answered anew.
      a: gated(
        [answers('one'), look, look, votesFor('a better two'), { text: 'two' }],
        { 2: happens('answer.submitted', 3) },
        () => bench,
      ),
      b: gated(
        [answers('two'), answers('a better two'), votesFor('a better two'), { text: 'two' }],
        { 1: (team) => team.until(() => (team.requests['a']?.length ?? 0) >= 3) },
        () => bench,
      ),
    },
  })
  const run = await bench.run('count')
  expect(bench.events('update.injected')).toMatchObject([
    { agent_id: 'a', labels: ['agent2.2'], delivered: true },
  ])
  expect(run.decision).toMatchObject({ winner: 'b', label: 'agent2.2' })
  expect(JSON.stringify(bench.requests['a']?.[0]?.messages)).not.toContain('two')
  expect(JSON.stringify(bench.requests['a']?.[3])).toContain('a better two')
})

test('MODE-8.1 with deferred voting early ones wait until all have answered', async () => {
  const bench = new TeamBench({
    coordination: { defer_voting_until_all_answered: true },
    agents: {
      a: [answers('the first'), votesFor('the first'), { text: 'the first' }],
      b: [answers('the second'), votesFor('the first')],
      c: [{ ...answers('the last'), delay_ms: 150 }, votesFor('the first')],
    },
  })
  await bench.run('now')
  const types = bench.envelopes.filter(({ stream }) => stream.startsWith('run_')).map(({ event }) => event)
  const lastAnswer = types.findLastIndex(({ type }) => type === 'answer.submitted')
  const firstVote = types.findIndex((event) => event.type === 'agent.started' && event.purpose === 'vote')
  expect(firstVote).toBeGreaterThan(lastAnswer)
  const starts = bench.events('agent.started').filter(({ agent_id }) => agent_id === 'a')
  expect(starts.map(({ purpose }) => purpose)).toEqual(['answer', 'vote', 'present'])
})

test('MODE-8.2 one agent with refinement chooses between a better answer and saying that it is done', async () => {
  const bench = new TeamBench({
    team: 'single',
    refinement: true,
    agents: { a: [answers('draft'), answers('final'), votesFor('final'), { text: 'It is final.' }] },
  })
  const run = await bench.run('write')
  expect(bench.events('answer.submitted').map(({ label }) => label)).toEqual(['agent1.1', 'agent1.2'])
  expect(bench.events('vote.cast')).toMatchObject([{ voter: 'a', for: 'a', label: 'agent1.2' }])
  const choice = bench.requests['a']?.[1]
  expect(choice?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['new_answer', 'vote']))
  expect(run.finished?.final_answer).toBe('It is final.')
})
