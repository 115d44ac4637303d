import { expect, test } from 'vitest'
import { openTeam } from '../../src/adapters/team/open-team.ts'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import type { TeamParts } from '../../src/ports/team.ts'
import { TeamBench, answers } from '../support/team-bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const bug = (): never => {
  throw new Error('a bug of ours')
}

/** A run whose parts are real but for these. */
async function runWith(change: (parts: TeamParts) => Partial<TeamParts>): Promise<TeamBench> {
  const data = temporaryFolder()
  const parts = await openTeam({ data, blobs: openBlobStore(`${data}/blobs`) })
  const bench = new TeamBench({
    agents: { ann: [answers('apples')] },
    strategy: 'winner_reuse',
    parts: { team: async () => ({ ...parts, ...change(parts) }) },
  })
  await bench.run('which fruit?')
  return bench
}

test('a bug while what was written is looked at does not keep the run from its end', async () => {
  const bench = await runWith(({ writes }) => ({ writes: { ...writes, end: bug } }))
  expect(bench.events('writes.recorded')).toMatchObject([
    { footer: expect.stringContaining('a bug of ours') },
  ])
  expect(bench.events('run.finished')).toMatchObject([{ status: 'complete', final_answer: 'apples' }])
})

test('a bug while the log is stored does not either', async () => {
  const bench = await runWith(({ workspaces }) => ({ workspaces: { ...workspaces, close: bug } }))
  expect(bench.events('run.finished')).toMatchObject([{ status: 'complete' }])
  expect(bench.events('log.stored')).toEqual([{ type: 'log.stored', directory: '' }])
})

test('a bug before a turn ends the run once, as a failure', async () => {
  const bench = await runWith(() => ({ beforeTurn: bug }))
  expect(bench.events('run.finished')).toMatchObject([{ status: 'failed', failure: { kind: 'bug' } }])
})

test('what beforeTurn says ends the run with that', async () => {
  const failure = { kind: 'sandbox', message: 'no container' } as const
  const bench = await runWith(() => ({ beforeTurn: async () => failure }))
  expect(bench.events('run.finished')).toMatchObject([{ status: 'failed', failure }])
  expect(bench.requests['ann']).toEqual([])
})
