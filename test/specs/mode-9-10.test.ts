import { expect, test } from 'vitest'
import { TeamBench, type TeamOptions, answers, votesFor } from '../support/team-bench.ts'

const team: TeamOptions['agents'] = {
  a: [answers('apples'), votesFor('bananas'), { text: 'Apples, as you wish.' }],
  b: [answers('bananas'), votesFor('bananas'), { text: 'Bananas.' }],
}

async function atTheVote() {
  const bench = new TeamBench({ agents: team, settings: { override: 'ask' } })
  const run_id = await bench.start('which fruit?')
  const opened = await bench.until(({ event }) => event.type === 'pending.opened')
  if (opened.event.type !== 'pending.opened') throw new Error('no pending')
  const { pending } = opened.event
  if (pending.kind !== 'override') throw new Error(`a ${pending.kind} instead of an override`)
  return { bench, run_id, pending }
}

test('MODE-9.3 the agent that the person chooses presents', async () => {
  const { bench, run_id, pending } = await atTheVote()
  expect(pending).toMatchObject({ winner: 'b', candidates: [{ agent: 'a', votes: 0 }, { agent: 'b' }] })
  expect(pending.candidates[0]?.preview).toContain('apples')
  expect(bench.events('presentation.started')).toEqual([])

  const nobody = { kind: 'override', decision: 'present', agent: 'nobody' } as const
  const choice = { type: 'answer_pending', turn_id: run_id, pending_id: pending.id, by: 'person' } as const
  expect(await bench.engine.execute({ ...choice, answer: nobody })).toMatchObject({ accepted: false })
  await bench.must({ ...choice, answer: { kind: 'override', decision: 'present', agent: 'a' } })
  await bench.engine.whenIdle(bench.chat)
  const run = await bench.engine.run(run_id)
  expect(run).toMatchObject({ overridden: true, presenter: { agent: 'a', label: 'agent1.1' } })
  expect(run.decision?.winner).toBe('b')
  expect(run.finished?.final_answer).toBe('Apples, as you wish.')
  expect(bench.events('presentation.started')).toMatchObject([{ agent_id: 'a' }])
  const again = await bench.engine.execute({ ...choice, answer: { kind: 'override', decision: 'continue' } })
  expect(again).toMatchObject({ accepted: false })
})

test('going on keeps the winner', async () => {
  const { bench, run_id, pending } = await atTheVote()
  const answer = { kind: 'override', decision: 'continue' } as const
  await bench.must({ type: 'answer_pending', turn_id: run_id, pending_id: pending.id, answer, by: 'person' })
  await bench.engine.whenIdle(bench.chat)
  expect(await bench.engine.run(run_id)).toMatchObject({ overridden: false, presenter: { agent: 'b' } })
})

test('MODE-10.1 with skip_voting there is no vote: not in the tools, not in the prompt, not in what is enforced', async () => {
  const bench = new TeamBench({
    coordination: { skip_voting: true },
    agents: {
      a: [{ text: 'I forgot to call anything.' }, answers('apples'), { text: 'Apples.' }],
      b: [answers('bananas')],
    },
  })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Apples.' })
  expect(run.decision).toMatchObject({ winner: 'a', reason: 'skipped' })
  for (const id of ['a', 'b']) {
    for (const { system, tools, messages } of bench.requests[id] ?? []) {
      expect(tools.map(({ name }) => name)).not.toContain('vote')
      expect(`${system}${JSON.stringify([tools, messages])}`).not.toMatch(/\bvot(e|es|ing)\b/i)
    }
  }
  expect(bench.told('a')).toContain('new_answer')
  expect(bench.events('agent.started').filter(({ purpose }) => purpose === 'vote')).toEqual([])
})
