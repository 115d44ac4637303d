import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ScriptedReply, scriptedModel } from '../../../src/adapters/models/scripted.ts'
import type { Model } from '../../../src/ports/model.ts'
import type { RunMessageSettings } from '../../../src/schema/command.ts'
import { TeamBench, answers, gated, votesFor } from '../../support/team-bench.ts'

// Security test 41.

const timeouts = { run_ms: 1_500, first_round_ms: null, later_round_ms: null, grace_ms: 300 }
const soon: Partial<RunMessageSettings> = { timeouts }

const never: ScriptedReply = { text: 'x', delay_ms: 3_600_000 }
const silent: ScriptedReply = { text: 'I have nothing to say.' }

test('an agent that spams answers is out, and its answer stays', async () => {
  const spam = Array.from({ length: 40 }, () => answers('apples'))
  const bench: TeamBench = new TeamBench({
    agents: {
      ann: spam,
      bob: gated(
        [answers('bananas'), votesFor('apples')],
        { 1: (team) => team.until(({ event }) => event.type === 'agent.out') },
        () => bench,
      ),
    },
    coordination: { final_answer_strategy: 'winner_reuse' },
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('agent.out')).toMatchObject([
    { agent_id: 'ann', reason: '6 of its answers and votes could not be taken' },
  ])
  expect(bench.events('answer.rejected')).toHaveLength(6)
  expect(bench.events('answer.submitted')).toHaveLength(2)
  expect(run.decision).toMatchObject({ winner: 'ann', label: 'agent1.1' })
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'apples' })
})

test('an agent that never votes, or never answers, is reminded three times and then out', async () => {
  const bench = new TeamBench({
    agents: {
      ann: [answers('apples'), { ...votesFor('apples'), delay_ms: 300 }, { text: 'Apples.' }],
      bob: [answers('bananas'), silent, silent, silent, silent, silent],
      cy: [silent, silent, silent, silent, silent],
    },
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('agent.out').map(({ agent_id, reason }) => [agent_id, reason])).toEqual([
    ['cy', 'it neither answered nor voted after 3 reminders'],
    ['bob', 'it neither answered nor voted after 3 reminders'],
  ])
  expect(run.decision).toMatchObject({ winner: 'ann', tally: [{ agent: 'ann', votes: 1 }, { votes: 0 }] })
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Apples.' })
})

test('nobody votes: the answer of the agent listed first is presented', async () => {
  const mute = (words: string) => [answers(words), ...Array.from({ length: 5 }, () => silent)]
  const agents = { ann: mute('apples'), bob: mute('bananas') }
  const bench = new TeamBench({ agents, coordination: { final_answer_strategy: 'winner_reuse' } })
  const run = await bench.run('which fruit?')
  expect(run.decision).toMatchObject({ winner: 'ann', reason: 'no_votes', margin: 0 })
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'apples' })
})

test('at the deadline the answers there are go out; who never answers does not hold them', async () => {
  const bench = new TeamBench({
    agents: { ann: [answers('apples'), never], bob: [never], cy: [answers('cherries'), never] },
    coordination: { final_answer_strategy: 'winner_reuse' },
    settings: soon,
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('deadline.reached')).toEqual([{ type: 'deadline.reached', deadline: 'coordination' }])
  expect(run.decision).toMatchObject({ winner: 'ann', reason: 'timeout' })
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'apples' })
})

test('all of them hang: the run ends with a limit and says what each got to', async () => {
  const bench = new TeamBench({ agents: { ann: [never], bob: [never] }, settings: soon })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({ status: 'limit', failure: { kind: 'limit' } })
  expect(run.finished?.final_answer).toMatch(/ann: gave no answer.*\n.*bob: gave no answer/)
})

test('a presenter that hangs does not take the answer with it', async () => {
  const bench = new TeamBench({
    agents: {
      ann: [answers('apples'), votesFor('apples'), never],
      bob: [answers('bananas'), votesFor('apples')],
    },
    settings: soon,
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('deadline.reached').map(({ deadline }) => deadline)).toEqual(['run'])
  expect(run.finished).toMatchObject({ status: 'limit', final_answer: 'apples' })
})

test('all of them crash: the run fails and says why each did', async () => {
  const bench = new TeamBench({
    agents: { ann: [{ fails: 'no credit' }], bob: [{ fails: 'overloaded' }] },
  })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({
    status: 'failed',
    failure: { message: 'No agent came to an answer.' },
    final_answer: expect.stringMatching(/ann: .*no credit[^]*bob: .*overloaded/),
  })
})

/** Gives its reply long after it was told to stop. */
const deaf = (replies: ScriptedReply[], comes_after_ms: number, onReturn: () => void): Model => {
  const model = scriptedModel(replies)
  return {
    label: 'deaf',
    async *stream(request) {
      await sleep(comes_after_ms)
      onReturn()
      yield* model.stream(request, new AbortController().signal)
    },
  }
}

test('what comes back after the end counts for nothing', async () => {
  let returned = 0
  const bench = new TeamBench({
    agents: {
      ann: [answers('apples'), votesFor('apples'), { text: 'Apples.' }],
      bob: deaf([answers('bananas'), votesFor('bananas')], 6_000, () => (returned += 1)),
    },
    settings: soon,
  })
  const run = await bench.run('which fruit?')
  expect(run.decision).toMatchObject({ winner: 'ann', reason: 'timeout' })
  expect(bench.events('answer.submitted').map(({ agent_id }) => agent_id)).toEqual(['ann'])
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Apples.' })
  // Nobody waited for it.
  expect(returned).toBe(0)
  while (returned === 0) await sleep(20)
  await sleep(50)
  const types = bench.envelopes.map(({ event }) => event.type)
  expect(types.slice(types.indexOf('run.closed') + 1)).toEqual([])
})
