import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { TeamBench, answers, gated, votesFor } from '../support/team-bench.ts'

const used = (input_tokens: number, reply: ScriptedReply): ScriptedReply => ({
  ...reply,
  usage: { input_tokens, output_tokens: 0 },
})

test('what others may still use is not given to an agent that is reminded', async () => {
  const isOut = () => bench.until(({ event }) => event.type === 'agent.out')
  const late = (fruit: string) =>
    gated([answers(fruit), votesFor('bananas'), { text: 'Bananas.' }], { 0: isOut }, () => bench)
  const bench: TeamBench = new TeamBench({
    agents: { a: [used(90_000, { text: 'Hm.' })], b: late('bananas'), c: late('cherries') },
    settings: { budget: { max_tokens: 300_000 } },
    coordination: { max_reminders: 1 },
  })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Bananas.' })
  const given = bench.events('agent.started').map(({ max_tokens }) => max_tokens)
  expect(given.slice(0, 4)).toEqual([100_000, 100_000, 100_000, 10_000])
})

test('nobody works beside a presentation: it has all that is left', async () => {
  const voted = async () => {
    const done = new Set<unknown>()
    await bench.until(({ event }) => {
      if (event.type === 'agent.finished' && event.agent_id === 'b') done.add(event.turn_id)
      return done.size === 2
    })
  }
  const first = [used(20_000, answers('apples')), votesFor('apples'), { text: 'Apples.' }]
  const bench: TeamBench = new TeamBench({
    agents: {
      a: gated(first, { 1: voted }, () => bench),
      b: [used(30_000, answers('bananas')), votesFor('apples')],
    },
    settings: { budget: { max_tokens: 300_000 } },
  })
  await bench.run('which fruit?')
  const presents = bench.events('agent.started').find(({ purpose }) => purpose === 'present')
  expect(presents).toMatchObject({ agent_id: 'a', max_tokens: 250_000 })
})

test('a team whose agents were all stopped by a limit was stopped by a limit', async () => {
  const bench = new TeamBench({
    agents: { a: [answers('apples')], b: [answers('bananas')] },
    settings: { budget: { max_tokens: 100 } },
  })
  expect((await bench.run('which fruit?')).finished).toMatchObject({
    status: 'limit',
    failure: { kind: 'limit', message: 'No agent came to an answer within its limits.' },
  })
})

test('one answer needs no vote, also while whoever was put out is still ending', async () => {
  const answered = () => bench.until(({ event }) => event.type === 'answer.submitted')
  const spam = ['A', 'B', 'C', 'D', 'E', 'F'].map((id): ScriptedReply => ({
    calls: [{ name: 'vote', input: { agent_id: id, reason: 'me' } }],
  }))
  const bench: TeamBench = new TeamBench({
    agents: {
      a: [answers('apples'), votesFor('apples'), { text: 'Apples.' }],
      b: gated(spam, { 0: answered }, () => bench),
    },
  })
  const run = await bench.run('which fruit?')
  expect(run.decision).toMatchObject({ winner: 'a', reason: 'one_candidate' })
  expect(bench.events('agent.started').map(({ purpose }) => purpose)).toEqual(['answer', 'answer', 'present'])
})

test('an answer that was cut off before its files were written says where they are', async () => {
  const bench: TeamBench = new TeamBench({
    files: { 'a.txt': 'old\n' },
    agents: {
      a: [
        { calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'new\n' } }] },
        answers('I made new.txt.'),
      ],
      b: [{ ...answers('bananas'), delay_ms: 60_000 }],
    },
  })
  const id = await bench.start('make new.txt')
  await bench.until(({ event }) => event.type === 'answer.submitted')
  await bench.must({ type: 'interrupt', chat_id: bench.chat, limit: '3 s' })
  await bench.engine.whenIdle(bench.chat)
  const { finished, log_directory = '' } = await bench.engine.run(id)
  const diff = `${log_directory}/answers/agent1.1.diff`
  expect(finished).toMatchObject({
    status: 'limit',
    final_answer: `I made new.txt.\n\nNot written to your folder:\n- new.txt: the run ended before (all changes of the answer: ${diff})`,
  })
  expect(existsSync(join(bench.folder, diff))).toBe(true)
  expect(existsSync(join(bench.folder, 'new.txt'))).toBe(false)
})

test('nobody is in a team twice, and only one agent works alone, in the folder itself', async () => {
  const start = (ids: string[], team: 'single' | 'multi') => {
    const agents = ids.map((id) => ({ id, speaks: 'tools' as const }))
    const scripts = { a: [answers('x')], b: [answers('y')] }
    return new TeamBench({ agents: scripts, team, refinement: false, settings: { agents } }).start('go')
  }
  await expect(start(['a', 'b', 'a'], 'multi')).rejects.toThrow('a is in this team more than once')
  await expect(start(['a', 'b'], 'single')).rejects.toThrow('one agent works alone; choose one of a, b')
  await expect(start([], 'multi')).rejects.toThrow('a run needs at least one agent')
})
