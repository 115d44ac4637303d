import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { ContextPath } from '../../src/schema/reach.ts'
import { TeamBench, type TeamOptions, answers, votesFor } from '../support/team-bench.ts'
import { temporaryFolder } from '../support/workbench.ts'

const writes = (path: string): ScriptedReply => ({
  calls: [{ name: 'create_file', input: { path, content: 'written\n' } }],
})

function withContext(
  options: Omit<TeamOptions, 'settings'> & { agents: TeamOptions['agents'] },
  shared: string,
) {
  const context: ContextPath = { path: shared, permission: 'write', protected_paths: [] }
  return new TeamBench({ ...options, settings: { context_paths: [context] } })
}

test('MODE-11.1 one agent without refinement writes the context paths as it works, and presents without a call', async () => {
  const shared = temporaryFolder()
  const file = join(shared, 'a.txt')
  const agents = { a: [writes(file), answers('it is written')] }
  const bench = withContext({ agents, team: 'single', refinement: false }, shared)
  const run = await bench.run('write a.txt')

  expect(readFileSync(file, 'utf8')).toBe('written\n')
  expect(bench.requests['a']).toHaveLength(2)
  expect(bench.events('agent.started').map(({ purpose }) => purpose)).toEqual(['answer'])
  expect(run.finished?.final_answer).toBe('it is written')
  expect(run.writes?.files).toMatchObject([{ path: file, change: 'new' }])
  const types = bench.envelopes.map(({ event }) => event.type)
  expect(types.indexOf('writes.enabled')).toBeLessThan(types.indexOf('agent.started'))
})

test.each(['winner_present', 'synthesize'] as const)(
  'MODE-11.2 a quick team writes the context paths in the presentation and not before (%s)',
  async (strategy) => {
    const shared = temporaryFolder()
    const early = join(shared, 'early.txt')
    const late = join(shared, 'late.txt')
    const bench = withContext(
      {
        refinement: false,
        strategy,
        agents: {
          a: [writes(early), answers('apples'), votesFor('apples'), writes(late), { text: 'Written.' }],
          b: [writes(early), answers('bananas'), votesFor('apples')],
        },
      },
      shared,
    )
    const run = await bench.run('write')

    expect(existsSync(early)).toBe(false)
    expect(bench.told('a')).toContain('read')
    expect(readFileSync(late, 'utf8')).toBe('written\n')
    expect(run.finished?.final_answer).toBe('Written.')
    expect(run.writes?.files).toMatchObject([{ path: late, change: 'new' }])
    const presents = bench.events('agent.started').filter(({ purpose }) => purpose === 'present')
    expect(presents).toHaveLength(1)
    const types = bench.envelopes.map(({ event }) => event.type)
    expect(types.indexOf('writes.enabled')).toBeGreaterThan(types.indexOf('voting.completed'))
  },
)

const fruit: TeamOptions['agents'] = {
  a: [answers('apples'), votesFor('apples'), { text: 'Apples and bananas.' }],
  b: [answers('bananas'), votesFor('apples')],
}

test('MODE-11.3 a quick team that reuses the winner and may write nothing skips the presentation', async () => {
  const bench = new TeamBench({ agents: fruit, refinement: false, strategy: 'winner_reuse' })
  const run = await bench.run('which fruit?')
  expect(run.finished?.final_answer).toBe('apples')
  expect(bench.events('presentation.started')).toMatchObject([{ makes_call: false }])
  expect(bench.events('agent.started').filter(({ purpose }) => purpose === 'present')).toEqual([])
})

test('MODE-11.4 a quick team that synthesizes presents also when it may write nothing', async () => {
  const bench = new TeamBench({ agents: fruit, refinement: false, strategy: 'synthesize' })
  const run = await bench.run('which fruit?')
  expect(run.finished?.final_answer).toBe('Apples and bananas.')
  expect(bench.events('presentation.started')).toMatchObject([{ makes_call: true, strategy: 'synthesize' }])
})
