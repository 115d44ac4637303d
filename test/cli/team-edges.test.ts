import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { Program, readResult } from '../support/program.ts'
import { answers, votesFor } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'

const creates = (path: string): ScriptedReply => ({
  calls: [{ name: 'create_file', input: { path, content: 'new\n' } }],
})
const slow = (reply: ScriptedReply): ScriptedReply => ({ ...reply, delay_ms: 60_000 })
const teamed = (scripts: Record<string, ScriptedReply[]>, more = ''): Program =>
  team(new Program({ 'a.txt': 'x\n' }), scripts, more)

const silent = {
  ...{ ann: [answers('apples'), votesFor('apples'), { text: 'Apples.' }] },
  bob: [{ text: '' }],
}

test('--override of an agent without an answer says so, and the policy decides whether the winner presents', async () => {
  const three = { ...silent, cy: [answers('cherries'), votesFor('apples')] }
  const waits = await teamed(three).run(['-p', 'which fruit?', '--override', 'bob'])
  expect(waits.code).toBe(54)
  expect(waits.stderr).toContain('--override: bob has no answer to present')
  const goesOn = await teamed(three).run(['-p', 'x', '--override', 'bob', '--on-pending', 'default'])
  expect(goesOn).toMatchObject({ code: 0, stdout: 'Apples.\n' })
  expect(goesOn.stderr).toContain('--override: bob has no answer to present; ann presents')
  const only = await teamed(silent).run(['-p', 'x', '--override', 'bob'])
  expect(only).toMatchObject({ code: 0, stdout: 'Apples.\n' })
  expect(only.stderr).toContain('--override: bob has no answer to present; ann presents')
})

test('an agent named twice is in the team once', async () => {
  const program = teamed({ ann: [{ text: 'Apples.' }], bob: [{ text: 'Bananas.' }] })
  const { stdout } = await program.run(['-p', 'x', '--agents', 'ann,ann', '--output-format', 'json'])
  expect(readResult(stdout).coordination_summary.agents).toEqual(['ann'])
})

test('the limit that ended a run is called by its name', async () => {
  const hangs = { ann: [slow(answers('apples'))], bob: [slow(answers('bananas'))] }
  const settings = 'timeout_settings: { orchestrator_timeout_seconds: 1 }'
  const configured = await teamed(hangs, settings).run(['-p', 'x'])
  expect(configured.code).toBe(53)
  expect(configured.stderr).toContain('1 s (orchestrator_timeout_seconds)')
  const single = await teamed(hangs, settings).run(['-p', 'x', '--single'])
  expect(single.code).toBe(53)
  expect(single.stderr).toContain('1 s (orchestrator_timeout_seconds)')
  const given = await teamed(hangs).run(['-p', 'x', '--timeout', '1'])
  expect(given.stderr).toContain('1 s (--timeout)')
})

test('--timeout leaves a team the time to present what there is', async () => {
  const program = teamed({
    ann: [creates('new.txt'), answers('made new.txt'), votesFor('made'), { text: 'It is there.' }],
    bob: [slow(answers('bananas'))],
  })
  const { code, stdout } = await program.run(['-p', 'make new.txt', '--timeout', '10'])
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('It is there.') })
  expect(existsSync(join(program.folder, 'new.txt'))).toBe(true)
})

function interactive(
  lead: ScriptedReply[],
  scripts: Record<string, ScriptedReply[]>,
  approval: boolean,
): Program {
  const program = new Program({ 'a.txt': 'x\n' })
  const file = join(program.home, 'lead.json')
  writeFileSync(file, JSON.stringify(lead))
  const mode = `{ require_approval: ${approval}, backend: { type: scripted, file: ${file} } }`
  return team(program, scripts, `orchestrator: { interactive_mode: ${mode} }`)
}

test('sessions undo takes back what a plan that was carried out wrote, and what one run wrote', async () => {
  const plan = JSON.stringify({ summary: 'make it', steps: [{ title: 'make new.txt', files: ['new.txt'] }] })
  const input = { task: 'make new.txt', planning_mode: true, execute_after_planning: true }
  const program = interactive(
    [{ calls: [{ name: 'launch_run', input }] }, { text: 'Done.' }],
    {
      ann: [creates('new.txt'), answers(plan), votesFor('make'), { text: 'Presented.' }],
      bob: [answers('no plan'), votesFor('make')],
    },
    false,
  )
  const file = join(program.folder, 'new.txt')
  const launch = async () => {
    const ended = await program.run(['-p', 'go', '--permission-mode', 'auto', '--output-format', 'json'])
    expect(existsSync(file), ended.stderr).toBe(true)
    return readResult(ended.stdout)
  }
  const { chat_id } = await launch()
  expect((await program.run(['sessions', 'undo', chat_id])).stdout).toBe('deleted new.txt\n')
  expect(existsSync(file)).toBe(false)
  const { run_id } = await launch()
  const executed = `${run_id.replace('turn_', 'run_')}-1-x`
  expect((await program.run(['sessions', 'undo', executed])).stdout).toBe('deleted new.txt\n')
  expect(existsSync(file)).toBe(false)
  expect(await program.run(['sessions', 'undo', 'run_none'])).toMatchObject({
    code: 42,
    stderr: expect.stringContaining('there is no run "run_none"'),
  })
})

test('a run that waits for approval can be edited from the command line', async () => {
  const program = interactive(
    [{ calls: [{ name: 'launch_run', input: { task: 'pick' } }] }, { text: 'Done.' }],
    {
      ann: [answers('apples'), votesFor('apples'), { text: 'Apples.' }],
      bob: [answers('bananas'), votesFor('apples')],
    },
    true,
  )
  expect((await program.run(['-p', 'go'])).code).toBe(54)
  const bare = await program.run(['answer', '-c', '3'])
  expect(bare.code).toBe(42)
  expect(bare.stderr).toContain('edit <the task as it should be>')
  const edited = await program.run(['answer', '-c', 'edit', 'pick', 'berries'])
  expect(edited).toMatchObject({ code: 0, stdout: 'Done.\n' })
  const [chat = ''] = (await program.run(['sessions', 'list'])).stdout.split(' ')
  expect((await program.run(['sessions', 'show', chat])).stdout).toContain('launch_run pick berries (ok')
})

test('an agent that goes in circles is left out, and the others come to an answer', async () => {
  const stuck = { calls: [{ name: 'read_file', input: { path: 'missing.txt' } }] }
  const program = teamed({
    ann: [answers('apples'), votesFor('apples'), { text: 'Apples.' }],
    bob: Array.from({ length: 14 }, () => stuck),
    cy: [answers('cherries'), votesFor('apples')],
  })
  const ended = await program.run(['-p', 'which fruit?', '--output-format', 'json'])
  expect(ended.code, ended.stderr).toBe(0)
  const { final_answer, run_id } = readResult(ended.stdout)
  expect(final_answer).toBe('Apples.')
  expect((await program.run(['sessions', 'show', run_id])).stdout).toMatch(
    /bob \| is out: Stopped: guidance was asked for/,
  )
})
