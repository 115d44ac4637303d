import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import { TeamBench, answers, votesFor } from '../../support/team-bench.ts'

// Security test 44, in a team. Loops of one agent are tried with the turn (guardrails.test.ts).

const call = (name: string, input: Record<string, unknown>) => ({ name, input })
const edit = (old_text: string, new_text: string) =>
  call('update_file', { path: 'a.txt', edits: [{ old_text, new_text }] })
const finished = (bench: TeamBench) =>
  bench.envelopes.flatMap(({ event }) => (event.type === 'tool.finished' ? [event] : []))

test('contradictory calls of one reply are done one after the other, and the second sees what the first did', async () => {
  const both: ScriptedReply = {
    calls: [edit('one', 'two'), edit('one', 'three'), call('delete_file', { path: 'a.txt' })],
  }
  const bench = new TeamBench({
    files: { 'a.txt': 'one\n' },
    strategy: 'winner_reuse',
    agents: { ann: [{ calls: [call('read_file', { path: 'a.txt' })] }, both, answers('done')] },
    settings: { turn: { permission: 'auto', max_iterations: 9, reflect: 'never' } },
  })
  const run = await bench.run('go')
  const results = finished(bench).slice(1, 4)
  expect(results.map(({ success }) => success)).toEqual([true, false, true])
  expect(run.applied?.files).toMatchObject([{ path: 'a.txt', change: 'deleted' }])
  expect(existsSync(join(bench.folder, 'a.txt'))).toBe(false)
})

test('agents that write the same file at once do not see each other; one version comes into the folder, whole', async () => {
  const text = (who: string) => `${who}\n`.repeat(2_000)
  const writes = (who: string): ScriptedReply => ({
    calls: [
      call('create_file', { path: 'new.txt', content: text(who) }),
      call('shell', { command: `cat new.txt | sort | uniq -c; echo ${who} > by-shell.txt` }),
    ],
  })
  const bench = new TeamBench({
    strategy: 'winner_reuse',
    agents: {
      ann: [writes('ann'), answers('apples'), votesFor('bananas')],
      bob: [writes('bob'), answers('bananas'), votesFor('bananas')],
      cy: [writes('cy'), answers('cherries'), votesFor('bananas')],
    },
  })
  const run = await bench.run('go')
  expect(run.decision?.winner).toBe('bob')
  const shells = finished(bench).filter(({ output }) => /^ *2000 /.test(output))
  expect(shells.map(({ output }) => output.trim()).sort()).toEqual(['2000 ann', '2000 bob', '2000 cy'])
  expect(readFileSync(join(bench.folder, 'new.txt'), 'utf8')).toBe(text('bob'))
  expect(readFileSync(join(bench.folder, 'by-shell.txt'), 'utf8')).toBe('bob\n')
})

test('the same call over and over ends an agent, not the run', async () => {
  const same: ScriptedReply = { calls: [call('read_file', { path: 'absent.txt' })] }
  const bench = new TeamBench({
    strategy: 'winner_reuse',
    agents: {
      ann: Array.from({ length: 60 }, () => same),
      bob: [answers('bananas'), votesFor('bananas')],
    },
    settings: { turn: { permission: 'deny', max_iterations: 12, reflect: 'never' } },
    coordination: { max_reminders: 0 },
  })
  await bench.start('go')
  // Going in circles is put to the person, who has it stop.
  const { stream, event } = await bench.until((envelope) => envelope.event.type === 'pending.opened')
  if (event.type !== 'pending.opened') throw new Error('it waits')
  expect(event.pending.kind).toBe('guidance')
  await bench.must({
    type: 'answer_pending',
    turn_id: stream as `turn_${string}`,
    pending_id: event.pending.id,
    answer: { kind: 'guidance', decision: 'stop' },
    by: 'me',
  })
  await bench.engine.whenIdle(bench.chat)
  expect(bench.events('agent.out')).toMatchObject([{ agent_id: 'ann' }])
  expect(bench.requests['ann']?.length).toBeLessThan(12)
  expect(bench.events('run.finished')).toMatchObject([{ status: 'complete', final_answer: 'bananas' }])
})
