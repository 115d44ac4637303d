import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { RunResult } from '../../src/schema/run-result.ts'
import { Program } from '../support/program.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'

const fruit: Record<string, ScriptedReply[]> = {
  ann: [answers('apples'), votesFor('bananas'), { text: 'Apples, after all.' }],
  bob: [answers('bananas'), votesFor('bananas'), { text: 'Bananas it is.' }],
  cy: [answers('cherries'), votesFor('bananas'), { text: 'Cherries.' }],
}

const teamed = (scripts: Record<string, ScriptedReply[]>): Program =>
  team(new Program({ 'a.txt': 'x\n' }), scripts)

async function json(program: Program, ...args: string[]): Promise<RunResult> {
  const { stdout, stderr, code } = await program.run([
    '-p',
    'which fruit?',
    '--output-format',
    'json',
    ...args,
  ])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as RunResult
}

test('a config with several agents is a team: they answer, vote, and one presents', async () => {
  const result = await json(teamed(fruit))
  expect(result).toMatchObject({
    status: 'complete',
    final_answer: 'Bananas it is.',
    coordination_summary: {
      agents: ['ann', 'bob', 'cy'],
      winner: 'bob',
      presenter: 'bob',
      overridden: false,
      rounds: 1,
      strategy: 'winner_present',
    },
  })
  expect(result.coordination_summary.answers).toHaveLength(3)
  expect(result.coordination_summary.votes.length).toBeGreaterThanOrEqual(2)
  expect(result.run_id).toMatch(/^run_/)
})

test('--override chooses who presents, --strategy how, --no-refine and --agents who and how often', async () => {
  expect(await json(teamed(fruit), '--override', 'ann')).toMatchObject({
    final_answer: 'Apples, after all.',
    coordination_summary: { winner: 'bob', presenter: 'ann', overridden: true },
  })
  expect(await json(teamed(fruit), '--strategy', 'winner_reuse')).toMatchObject({ final_answer: 'bananas' })
  expect(await json(teamed(fruit), '--no-refine')).toMatchObject({
    coordination_summary: { strategy: 'synthesize' },
  })
  const two = await json(teamed(fruit), '--agents', 'cy,bob')
  expect(two.coordination_summary.agents).toEqual(['cy', 'bob'])
})

test('--single has one agent answer, in the chat itself', async () => {
  const program = teamed({ ...fruit, cy: [{ text: 'Just cherries.' }] })
  const single = await json(program, '--single', 'cy')
  expect(single).toMatchObject({ final_answer: 'Just cherries.', coordination_summary: { agents: ['cy'] } })
  expect(single.run_id).toMatch(/^turn_/)
  const refined = teamed({ ann: [answers('draft'), answers('better'), votesFor('better'), { text: 'done' }] })
  expect(await json(refined, '--single', '--refine')).toMatchObject({
    final_answer: 'done',
    coordination_summary: { answers: [{ label: 'agent1.1' }, { label: 'agent1.2' }] },
  })
})

test('what cannot be meant is refused with what could be', async () => {
  const program = teamed(fruit)
  const refused = async (...args: string[]) => {
    const { code, stderr } = await program.run(['-p', 'x', ...args])
    return { code, stderr }
  }
  expect(await refused('--override', 'zoe')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ann, bob, cy'),
  })
  expect(await refused('--agents', 'zoe')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no agent "zoe"'),
  })
  expect(await refused('--single', '--multi')).toMatchObject({ code: 2 })
  expect(await refused('--refine', '--no-refine')).toMatchObject({ code: 2 })
})

test('the log is there for people to read, and sessions show draws the coordination and the vote', async () => {
  const program = teamed(fruit)
  const { run_id, chat_id } = await json(program)
  const log = join(program.folder, '.conclave/logs', run_id)
  for (const name of ['task.md', 'votes.md', 'coordination.md', 'final_answer.md', 'answers/agent2.1.md'])
    expect(existsSync(join(log, name)), name).toBe(true)
  expect(readFileSync(join(log, 'final_answer.md'), 'utf8')).toContain('Bananas it is.')
  const shown = (await program.run(['sessions', 'show', run_id])).stdout
  expect(shown).toMatch(/\| bob \| agent2\.1 \|/)
  expect(shown).toContain('Winner: bob (agent2.1)')
  expect((await program.run(['sessions', 'show', chat_id])).stdout).toContain('votes: bob')
  expect((await program.run(['sessions', 'list'])).stdout).toContain('complete')
})

test('a team that cannot answer fails clearly, and says what each got to', async () => {
  const program = teamed({ ann: [{ fails: 'no key' }], bob: [{ fails: 'out of order' }] })
  const { code, stdout, stderr } = await program.run(['-p', 'x'])
  expect(code).toBe(1)
  expect(stdout).toContain('ann: gave no answer')
  expect(stdout).toContain('out of order')
  expect(stderr).toContain('No agent came to an answer')
})

test('files come into the folder with the answer, and sessions undo takes them out again', async () => {
  const writes = { calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'hello\n' } }] }
  const program = teamed({
    ann: [writes, answers('made new.txt'), votesFor('made'), { text: 'It is there.' }],
    bob: [answers('would not'), votesFor('made')],
  })
  const { stdout, code } = await program.run(['-p', 'make new.txt'])
  expect(code).toBe(0)
  expect(stdout).toContain('Files written to context paths:\n- new.txt (new)')
  expect(readFileSync(join(program.folder, 'new.txt'), 'utf8')).toBe('hello\n')
  const [chat = ''] = (await program.run(['sessions', 'list'])).stdout.split(' ')
  expect((await program.run(['sessions', 'undo', chat])).stdout).toContain('deleted new.txt')
  expect(existsSync(join(program.folder, 'new.txt'))).toBe(false)
})

test('what an answer deletes is asked for, and refused where nobody may be asked', async () => {
  const script = {
    ann: [
      { calls: [{ name: 'delete_file', input: { path: 'a.txt' } }] },
      answers('deleted a.txt'),
      votesFor('deleted'),
      { text: 'Gone.' },
    ],
    bob: [answers('would keep it'), votesFor('deleted')],
  }
  const refused = teamed(script)
  const { stdout } = await refused.run(['-p', 'delete a.txt'])
  expect(stdout).toContain('a.txt: not written: it deletes a file')
  expect(existsSync(join(refused.folder, 'a.txt'))).toBe(true)

  const asked = teamed(script)
  const waiting = await asked.run(['-p', 'delete a.txt', '--permission-mode', 'ask'])
  expect(waiting.code).toBe(54)
  expect(waiting.stdout).toContain('a.txt (deleted)')
  expect(existsSync(join(asked.folder, 'a.txt'))).toBe(true)
  const answered = await asked.run(['answer', '-c', 'once'])
  expect(answered.code, answered.stderr).toBe(0)
  expect(existsSync(join(asked.folder, 'a.txt'))).toBe(false)
})
