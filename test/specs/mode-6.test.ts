import { expect, test } from 'vitest'
import { TeamBench, type TeamOptions, answers, votesFor } from '../support/team-bench.ts'

const team: TeamOptions['agents'] = {
  a: [answers('apples are red'), votesFor('bananas')],
  b: [answers('bananas are yellow'), votesFor('bananas'), { text: 'Bananas, presented.' }],
  c: [answers('cherries are small'), votesFor('bananas')],
}
const presentation = (bench: TeamBench) => JSON.stringify(bench.requests['b']?.at(-1)?.messages.at(-1))

test('MODE-6.1 winner_reuse uses the answer as it is, without another call', async () => {
  const bench = new TeamBench({ agents: team, strategy: 'winner_reuse' })
  const run = await bench.run('which fruit?')
  expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'bananas are yellow' })
  expect(bench.events('presentation.started')).toMatchObject([{ makes_call: false }])
  expect(bench.events('agent.started').filter(({ purpose }) => purpose === 'present')).toEqual([])
})

test('MODE-6.2 winner_present has the winner present, and its words are the final answer', async () => {
  const bench = new TeamBench({ agents: team, strategy: 'winner_present' })
  const run = await bench.run('which fruit?')
  expect(run.finished?.final_answer).toBe('Bananas, presented.')
  const presents = bench.events('agent.started').filter(({ purpose }) => purpose === 'present')
  expect(presents).toMatchObject([{ agent_id: 'b' }])
  expect(presentation(bench)).toContain('bananas are yellow')
  expect(presentation(bench)).not.toContain('cherries')
})

test('MODE-6.3 synthesize gives the presenter all answers, whether or not anything may be written', async () => {
  for (const context_paths of [[], ['write']] as const) {
    const bench: TeamBench = new TeamBench({ agents: team, strategy: 'synthesize' })
    const paths = context_paths.map(() => ({
      ...{ path: bench.folder, permission: 'write' as const, protected_paths: [] },
    }))
    await bench.must({ ...{ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 'x' } })
    const settings = { ...bench.settings(), context_paths: paths }
    await bench.must({ type: 'start_run', chat_id: bench.chat, text: 'which fruit?', settings })
    await bench.engine.whenIdle(bench.chat)
    for (const fruit of ['apples are red', 'bananas are yellow', 'cherries are small']) {
      expect(presentation(bench)).toContain(fruit)
    }
    expect(bench.events('run.finished')).toMatchObject([{ final_answer: 'Bananas, presented.' }])
  }
})

test('MODE-6.4 a quick team synthesizes unless somebody chose otherwise', async () => {
  const bench = new TeamBench({ agents: team, refinement: false })
  const run = await bench.run('which fruit?')
  expect(run.settings.coordination.final_answer_strategy).toBe('synthesize')
  expect(run.finished?.final_answer).toBe('Bananas, presented.')
  expect(run.finished?.final_answer).not.toBe('bananas are yellow')
  expect(presentation(bench)).toContain('cherries are small')
})
