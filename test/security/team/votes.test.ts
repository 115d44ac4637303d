import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import { isRejected } from '../../../src/core/aggregate.ts'
import { run as runs } from '../../../src/core/run/run.ts'
import type { RunState } from '../../../src/core/run/state.ts'
import type { RunEvent } from '../../../src/schema/run-event.ts'
import { TeamBench, answers, gated, votesFor } from '../../support/team-bench.ts'

// Security test 40.

const vote = (agent_id: string, more: Record<string, unknown> = {}): ScriptedReply => ({
  calls: [{ name: 'vote', input: { agent_id, reason: 'mine', ...more } }],
})
const look: ScriptedReply = { calls: [{ name: 'list_directory', input: { path: '.' } }] }

const votesIn = (bench: TeamBench) => bench.events('vote.cast').map(({ voter, for: whom }) => [voter, whom])

test('votes for nobody, for an agent by its name or label, and for one that is out are refused, logged and not counted', async () => {
  const bench = new TeamBench({
    agents: {
      ann: [
        answers('apples'),
        ...['Z', 'bob', 'agent2.1', 'cy'].map((choice) => vote(choice)),
        votesFor('bananas'),
      ],
      bob: [answers('bananas'), { ...votesFor('bananas'), delay_ms: 60 }, { text: 'Bananas.' }],
      cy: [{ fails: 'the provider is gone' }],
    },
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('agent.out')).toMatchObject([{ agent_id: 'cy' }])
  const refused = bench.events('vote.rejected')
  expect(refused.map(({ voter, for: whom }) => [voter, whom])).toEqual(
    ['Z', 'bob', 'agent2.1', 'cy'].slice(0, refused.length).map((choice) => ['ann', choice]),
  )
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatch(/there is no candidate ".*"; choose one of A, B/)
  expect(run.decision).toMatchObject({ winner: 'bob' })
  expect(votesIn(bench).filter(([voter]) => voter === 'ann').length).toBeLessThanOrEqual(1)
  expect(run.decision?.tally.map(({ agent }) => agent)).toEqual(['bob', 'ann'])
})

test('two votes in one reply, and a vote with an answer, count as none; the next proper one counts once', async () => {
  const both: ScriptedReply = {
    calls: [
      { name: 'vote', input: { agent_id: 'A', reason: 'one' } },
      { name: 'vote', input: { agent_id: 'B', reason: 'two' } },
    ],
  }
  const mixed: ScriptedReply = {
    calls: [
      { name: 'vote', input: { agent_id: 'A', reason: 'one' } },
      { name: 'new_answer', input: { answer: 'pears' } },
    ],
  }
  const bench = new TeamBench({
    agents: {
      ann: [answers('apples'), votesFor('bananas')],
      bob: [answers('bananas'), both, mixed, votesFor('bananas'), { text: 'Bananas.' }],
    },
  })
  const run = await bench.run('which fruit?')
  expect(bench.told('bob')).toContain('a reply may hold only one call that ends the turn')
  expect(votesIn(bench).sort()).toEqual([
    ['ann', 'bob'],
    ['bob', 'bob'],
  ])
  expect(run.decision?.tally).toEqual([
    { agent: 'bob', votes: 2 },
    { agent: 'ann', votes: 0 },
  ])
  expect(bench.events('answer.submitted')).toHaveLength(2)
})

test('a vote that comes after the vote is closed changes nothing', async () => {
  const bench: TeamBench = new TeamBench({
    agents: {
      ann: [answers('apples'), votesFor('apples'), { text: 'Apples.' }],
      bob: [answers('bananas'), votesFor('apples')],
      // It votes for itself, however long the others have been done.
      cy: gated(
        [answers('cherries'), votesFor('cherries')],
        { 1: (team) => team.until(({ event }) => event.type === 'voting.completed') },
        () => bench,
      ),
    },
  })
  const run = await bench.run('which fruit?')
  expect(run.decision).toMatchObject({ winner: 'ann', reason: 'decided', margin: 2 })
  expect(votesIn(bench).map(([voter]) => voter)).not.toContain('cy')
  expect(run.agents.find(({ id }) => id === 'cy')?.vote).toBeNull()
  expect(run.finished?.status).toBe('complete')
})

test('a vote on answers that are not the newest is refused; the voter is told and votes again', async () => {
  const answered = (count: number) => (team: TeamBench) =>
    team.until(() => team.events('answer.submitted').length >= count)
  const bench: TeamBench = new TeamBench({
    agents: {
      ann: [answers('apples'), answers('better apples'), votesFor('better apples'), { text: 'Better.' }],
      // It has seen the old answers only, and votes while it must not yet have heard of the new one.
      bob: gated(
        [answers('bananas'), votesFor('apples'), votesFor('better apples')],
        { 1: answered(3) },
        () => bench,
      ),
    },
  })
  const run = await bench.run('which fruit?')
  expect(bench.events('vote.rejected')).toMatchObject([
    { voter: 'bob', reason: 'there are newer answers than the ones you have seen' },
  ])
  expect(bench.events('vote.cast').every(({ label }) => label === 'agent1.2')).toBe(true)
  expect(run.decision).toMatchObject({ winner: 'ann', label: 'agent1.2' })
})

test('nobody votes or answers for another: not by a field of the call, not from a turn of another', async () => {
  const bench: TeamBench = new TeamBench({
    agents: {
      ann: [
        answers('apples'),
        vote('A', { voter: 'bob', from: 'bob' }),
        look,
        { ...votesFor('apples'), delay_ms: 30_000 },
      ],
      bob: [answers('bananas'), { ...votesFor('apples'), delay_ms: 30_000 }],
    },
  })
  const id = await bench.start('which fruit?')
  await bench.until(() => (bench.requests['ann']?.length ?? 0) >= 3)
  expect(bench.told('ann')).toMatch(/arguments of vote cannot be used/)
  expect(votesIn(bench)).toEqual([])

  const state: RunState = await bench.engine.run(id)
  const [ann, bob] = state.agents
  if (!ann?.turn || !bob?.turn) throw new Error('both are voting')
  const cast = { type: 'vote', call_id: 'forged', choice: 'A', reason: 'x', now: 0 } as const
  for (const [agent_id, turn_id] of [
    ['bob', ann.turn.turn_id],
    ['ann', bob.turn.turn_id],
    ['eve', ann.turn.turn_id],
    ['bob', 'turn_forged'],
  ] as const) {
    const from = { agent_id, turn_id }
    expect(isRejected(runs.decide(state, { ...cast, ...from }))).toBe(true)
    const snapshot = { id: '', path: null, files: 0, added: 0, removed: 0, changed: [] }
    const answer = { type: 'submit_answer', call_id: 'forged', text: 'x', snapshot, now: 0 } as const
    expect(isRejected(runs.decide(state, { ...answer, ...from }))).toBe(true)
  }
  // The same act from the turn it belongs to is taken: it was the sender that was refused.
  const own = runs.decide(state, { ...cast, agent_id: 'bob', turn_id: bob.turn.turn_id })
  expect((own as RunEvent[]).map(({ type }) => type)).toContain('vote.cast')
  await bench.must({ type: 'interrupt', chat_id: bench.chat })
  await bench.engine.whenIdle(bench.chat)
})
