import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import { useDocker } from '../../support/docker.ts'
import { testWith } from '../../support/needs.ts'
import { TeamBench, type TeamOptions, answers, gated, votesFor } from '../../support/team-bench.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Security test 16 in a run: links that an agent plants in its copy.

const docker = useDocker()

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({ calls: [{ name, input }] })

/** A folder of the host with a secret, and an agent that leads into it from its copy in every way it can. */
function plant(): {
  outside: string
  secret: string
  replies: ScriptedReply[]
  files: Record<string, string>
} {
  const outside = temporaryFolder()
  const secret = join(outside, 'secret.txt')
  writeFileSync(secret, 'HOST-SECRET\n')
  mkdirSync(join(outside, 'src'))
  writeFileSync(join(outside, 'src/a.txt'), 'HOST-SECRET a\n')
  const command = [
    `ln -s ${secret} link.txt`,
    `ln -s ${outside} dir`,
    // A file, and a folder, of the person become links.
    `rm b.txt; ln -s ${secret} b.txt`,
    `rm -r src; ln -s ${outside}/src src`,
    'ln -s / root; ln -s .. up; echo real > real.txt',
  ].join('; ')
  const files = { 'b.txt': 'mine b\n', 'src/a.txt': 'mine a\n' }
  return { outside, secret, replies: [call('shell', { command }), answers('planted')], files }
}

async function run(options: Partial<TeamOptions> & Pick<TeamOptions, 'agents'>): Promise<TeamBench> {
  const bench = new TeamBench({ strategy: 'winner_reuse', ...options })
  await bench.run('go')
  return bench
}

function everythingBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

test('no link of an answer comes into the folder, nothing is written or read through one', async () => {
  const { outside, replies, files } = plant()
  const bench = await run({
    files,
    agents: { ann: [...replies, votesFor('planted')], bob: [answers('bananas'), votesFor('planted')] },
  })
  expect(bench.events('voting.completed')).toMatchObject([{ winner: 'ann' }])
  const applied = bench.events('answer.applied')[0]
  expect(applied?.files).toMatchObject([{ path: 'real.txt' }, { path: 'src/a.txt', change: 'deleted' }])
  expect(applied?.conflicts.map(({ path }) => path)).toEqual([
    'b.txt',
    'dir',
    'link.txt',
    'root',
    'src',
    'up',
  ])
  expect(readFileSync(join(bench.folder, 'b.txt'), 'utf8')).toBe('mine b\n')
  const links = readdirSync(bench.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isSymbolicLink(),
  )
  expect(links).toEqual([])
  // Neither the folder nor its log, with diffs of all answers, holds a byte of it.
  expect(everythingBelow(bench.folder)).not.toContain('HOST-SECRET')
  expect(readdirSync(outside).sort()).toEqual(['secret.txt', 'src'])
  expect(readFileSync(join(outside, 'src/a.txt'), 'utf8')).toBe('HOST-SECRET a\n')
})

test('peers read no host file through the snapshot of an answer', async () => {
  const { replies, files } = plant()
  const bench: TeamBench = new TeamBench({
    files,
    strategy: 'winner_reuse',
    agents: {
      ann: [...replies, { ...votesFor('planted'), delay_ms: 1_000 }],
      bob: {
        label: 'curious',
        async *stream(request, signal) {
          const path = bench.events('answer.submitted').find(({ agent_id }) => agent_id === 'ann')
            ?.snapshot.path
          const given = request.messages.filter(({ role }) => role === 'assistant').length
          const reads = ['real.txt', 'link.txt', 'dir/secret.txt', 'b.txt', 'src/a.txt'].map((name) =>
            call('read_file', { path: `${path}/${name}` }),
          )
          const searches = call('search_code', { pattern: 'HOST-SECRET', path: path ?? '' })
          const script = [answers('bananas'), ...reads, searches, votesFor('planted')]
          yield* gated(script, {}, () => bench).stream(request, signal)
          if (given === 1 && path) {
            // The links are there, and they do lead to the secret for whoever follows them.
            expect(lstatSync(join(path, 'link.txt')).isSymbolicLink()).toBe(true)
            expect(readFileSync(join(path, 'link.txt'), 'utf8')).toBe('HOST-SECRET\n')
          }
        },
      },
    },
    coordination: { defer_voting_until_all_answered: true },
  })
  await bench.run('go')
  const told = bench.told('bob')
  expect(told).toContain('real')
  expect(
    bench.envelopes.filter(({ event }) => event.type === 'tool.finished' && !event.success),
  ).toHaveLength(4)
  expect(JSON.stringify(bench.envelopes)).not.toContain('HOST-SECRET a')
  expect(told).not.toContain('HOST-SECRET\\n')
})

testWith('docker', 'in containers commands and evidence find nothing behind such a link', async () => {
  const { outside, replies, files } = plant()
  const containers = await docker.open()
  const bench = await run({
    files,
    containers,
    agents: { ann: [...replies, votesFor('planted')], bob: [answers('bananas'), votesFor('planted')] },
    settings: {
      evidence: [
        { name: 'read', command: 'cat link.txt dir/secret.txt src/a.txt b.txt', timeout_seconds: 20 },
      ],
    },
  })
  const [results = []] = bench
    .events('evidence.recorded')
    .filter(({ label }) => label === 'agent1.1')
    .map((event) => event.results)
  expect(results).toMatchObject([{ status: 'failed' }])
  expect(results[0]?.output.match(/No such file or directory/g)?.length).toBeGreaterThanOrEqual(4)
  expect(JSON.stringify(bench.envelopes)).not.toContain('HOST-SECRET')
  expect(everythingBelow(bench.folder)).not.toContain('HOST-SECRET')
  expect(existsSync(join(outside, 'secret.txt'))).toBe(true)
})
