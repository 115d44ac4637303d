import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { openShell } from '../../src/adapters/shell/open-shell.ts'
import type { FinalAnswerStrategy } from '../../src/schema/coordination.ts'
import { testWith } from '../support/needs.ts'
import { TeamBench, answers, gated, votesFor } from '../support/team-bench.ts'

const runs = (command: string): ScriptedReply => ({ calls: [{ name: 'shell', input: { command } }] })

const numbers = (change: Record<number, string> = {}): string =>
  Array.from({ length: 9 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('')

const files = {
  'both.txt': numbers(),
  'same-line.txt': 'one\n',
  'removed.txt': 'one\n',
  'unharmed.txt': 'one\n',
  'deleted.txt': 'one\n',
}

/** What the person does to the folder while the team works on its copies. */
function changeByHand(folder: string): void {
  writeFileSync(join(folder, 'both.txt'), numbers({ 0: 'by hand' }))
  writeFileSync(join(folder, 'same-line.txt'), 'by hand\n')
  rmSync(join(folder, 'removed.txt'))
  writeFileSync(join(folder, 'deleted.txt'), 'by hand\n')
  writeFileSync(join(folder, 'new.txt'), 'by hand\n')
}

const work = [
  `sed -i 's/line 8/by the team/' both.txt`,
  'for f in same-line removed unharmed new; do echo by the team > $f.txt; done',
  'rm deleted.txt',
].join('; ')

function makeBench(strategy: FinalAnswerStrategy, presents: ScriptedReply[] = []): TeamBench {
  const bench: TeamBench = new TeamBench({
    files,
    strategy,
    shell: openShell({ sandbox: 'auto', network: false }),
    agents: {
      ann: gated(
        [runs(work), answers('changed'), votesFor('changed'), ...presents],
        { 1: async ({ folder }) => changeByHand(folder) },
        () => bench,
      ),
      bob: [answers('left as it was'), votesFor('changed')],
    },
  })
  return bench
}

/** Everything is as the person left it, but for the one file they did not touch. */
function expectUntouched(folder: string): void {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  expect(read('both.txt')).toBe(numbers({ 0: 'by hand' }))
  for (const name of ['same-line.txt', 'deleted.txt', 'new.txt'])
    expect([name, read(name)]).toEqual([name, 'by hand\n'])
  expect(existsSync(join(folder, 'removed.txt'))).toBe(false)
  expect(read('unharmed.txt')).toBe('by the team\n')
}

const drifted = ['both.txt', 'deleted.txt', 'new.txt', 'removed.txt', 'same-line.txt']

test('files that the person changed meanwhile stay theirs; the answer says so and all versions are kept', async () => {
  const bench = makeBench('winner_reuse')
  const run = await bench.run('change them')
  expectUntouched(bench.folder)
  expect(run.applied?.files.map(({ path }) => path)).toEqual(['unharmed.txt'])
  expect(run.applied?.conflicts.map(({ path }) => path)).toEqual(drifted)

  const answer = run.finished?.final_answer ?? ''
  expect(answer).toMatch(/^changed\n\nNot written to your folder:\n/)
  for (const path of drifted) expect(answer).toContain(`\n- ${path}: `)
  const log = `.conclave/logs/${run.run_id}`
  expect(answer).toContain(`(the answer's version: ${log}/conflicts/answer/same-line.txt)`)
  const { messages } = await bench.engine.open(bench.chat)
  expect(messages?.last.text).toBe(answer)

  const kept = (name: string): string => readFileSync(join(bench.folder, log, 'conflicts', name), 'utf8')
  expect(kept('yours/same-line.txt')).toBe('by hand\n')
  expect(kept('answer/same-line.txt')).toBe('by the team\n')
  expect(kept('base/same-line.txt')).toBe('one\n')
  expect(kept('merged/both.txt')).toBe(numbers({ 0: 'by hand', 8: 'by the team' }))
  expect(existsSync(join(bench.folder, log, 'conflicts/merged/same-line.txt'))).toBe(false)
  expect(kept('yours/deleted.txt')).toBe('by hand\n')
  expect(readFileSync(join(bench.folder, log, 'final_answer.md'), 'utf8')).toContain(
    'Not written to your folder:',
  )
})

testWith(
  'bwrap',
  'the presenter cannot overwrite them either, and the person is told whatever it says',
  async () => {
    const overwrites = drifted
      .filter((path) => path !== 'removed.txt')
      .map((path): ScriptedReply => runs(`echo over > ${path}; rm -f ${path}; mv unharmed.txt ${path}`))
    const tools: ScriptedReply[] = [
      { calls: [{ name: 'read_file', input: { path: 'new.txt' } }] },
      {
        calls: [
          {
            name: 'update_file',
            input: { path: 'new.txt', edits: [{ old_text: 'by hand', new_text: 'over' }] },
          },
        ],
      },
      { calls: [{ name: 'delete_file', input: { path: 'new.txt' } }] },
    ]
    const bench = makeBench('winner_present', [...overwrites, ...tools, { text: 'All of it is done.' }])
    const run = await bench.run('change them')
    expectUntouched(bench.folder)
    expect(run.finished?.final_answer).toMatch(/^All of it is done\.\n\nNot written to your folder:\n/)
    // It was told before it presented.
    expect(bench.told('ann')).toContain('These were not written; do not overwrite them, tell the person')
  },
)
