import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Envelope } from '../../src/schema/envelope.ts'
import { Program, readResult, readStream } from '../support/program.ts'

const command = { name: 'shell', input: { command: 'echo ran >> log.txt' } }
const edit = { name: 'create_file', input: { path: 'new.txt', content: 'x' } }
const complete = { text: '{"verdict":"complete","reason":"done"}' }
const ask = ['--permission-mode', 'ask', '--output-format', 'json']

const log = (program: Program): string => readFileSync(join(program.folder, 'log.txt'), 'utf8')

test('an approval nobody can give stays in the log, and a later run gives it', async () => {
  const program = new Program()
  const model = program.replies({ text: 'I will run it.', calls: [command] }, { text: 'It ran.' }, complete)
  const stuck = await program.run(['-p', 'go', model, ...ask, '--on-pending', 'fail'])
  const { status, final_answer, chat_id, run_id } = readResult(stuck.stdout)
  expect({ code: stuck.code, status }).toEqual({ code: 54, status: 'pending' })
  expect(final_answer).toContain('shell wants to run · minor\n  echo ran >> log.txt')
  expect(stuck.stderr).toContain(`conclave answer -r ${chat_id} <choice>`)
  const types = await storedTypes(program, chat_id)
  expect(types).toContain('pending.opened')
  expect(types).not.toContain('pending.answered')
  const { stdout: shown } = await program.run(['sessions', 'show', chat_id])
  expect(shown).toMatch(/## Unfinished\n[\s\S]*shell wants to run/)

  const again = await program.run(['-p', '-r', chat_id, model, '--output-format', 'json'])
  expect({ code: again.code, ...readResult(again.stdout) }).toMatchObject({ code: 54, run_id })
  expect(existsSync(join(program.folder, 'log.txt'))).toBe(false)

  const resumed = ['-p', '-r', chat_id, model, '--on-pending', 'approve', '--output-format', 'stream-json']
  const { code, stdout } = await program.run(resumed)
  const { envelopes, result } = readStream(stdout)
  expect({ code, ...result }).toMatchObject({ code: 0, run_id, status: 'complete', final_answer: 'It ran.' })
  expect(envelopes[0]).toMatchObject({ stream: run_id, event: { type: 'pending.answered', by: 'headless' } })
  expect(log(program)).toBe('ran\n')
})

test('an approval that a sub-agent waits for is found and given', async () => {
  const program = new Program()
  const subtasks = [{ id: 's', task: 'run it', depends_on: [] }]
  // The sub-agent is given the same script: it may not delegate, so its first call fails and its second is the command.
  const model = program.replies(
    { calls: [{ name: 'delegate', input: { subtasks } }] },
    { calls: [command] },
    { text: 'Both ran.' },
    complete,
  )
  const stuck = await program.run(['-p', 'go', model, ...ask])
  const { final_answer, chat_id } = readResult(stuck.stdout)
  expect({ code: stuck.code, final_answer }).toEqual({
    code: 54,
    final_answer: expect.stringContaining('shell wants to run'),
  })
  const { code, stdout } = await program.run(['-p', '-r', chat_id, model, '--on-pending', 'approve'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Both ran.\n' })
  expect(log(program)).toBe('ran\nran\n')
})

test('a new prompt is not sent while the chat waits, and is when the wait is over', async () => {
  const program = new Program()
  const model = program.replies({ calls: [command] }, { text: 'one' }, complete, { text: 'two' })
  await program.run(['-p', 'first', model, ...ask])
  const refused = await program.run(['-c', '-p', 'second', model])
  expect(refused.code).toBe(54)
  expect(refused.stdout).toContain('shell wants to run')
  expect(refused.stderr).toContain('the prompt was not sent')
  const { code, stdout } = await program.run(['-c', '-p', 'second', model, '--on-pending', 'approve'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'two\n' })
})

test('--on-pending default refuses the command and lets the agent go on', async () => {
  const program = new Program()
  const model = program.replies({ calls: [command] }, { text: 'Then not.' })
  const { code, stdout } = await program.run([
    ...['-p', 'go', model, '--permission-mode', 'ask'],
    ...['--on-pending', 'default', '--output-format', 'stream-json'],
  ])
  const { envelopes, result } = readStream(stdout)
  expect({ code, answer: result.final_answer }).toEqual({ code: 0, answer: 'Then not.' })
  expect(observations(envelopes)).toEqual([expect.objectContaining({ tool: 'shell', success: false })])
  expect(existsSync(join(program.folder, 'log.txt'))).toBe(false)
})

test('--on-pending approve runs the command', async () => {
  const program = new Program()
  const model = program.replies({ calls: [command] }, { text: 'It ran.' }, complete)
  const { code, stdout } = await program.run(['-p', 'go', model, ...ask, '--on-pending', 'approve'])
  expect({ code, answer: readResult(stdout).final_answer }).toEqual({ code: 0, answer: 'It ran.' })
  expect(log(program)).toBe('ran\n')
})

test.each([[['--permission-mode', 'deny']], [[]]])(
  'headless with %j refuses commands and deletions, and allows edits',
  async (flags) => {
    const program = new Program({ 'old.txt': 'keep me' })
    const remove = { name: 'delete_file', input: { path: 'old.txt' } }
    const model = program.replies({ calls: [command, remove, edit] }, { text: 'Done.' }, complete)
    const { code, stdout } = await program.run([
      ...['-p', 'go', model, '--output-format', 'stream-json'],
      ...flags,
    ])
    expect(code).toBe(0)
    const seen = observations(readStream(stdout).envelopes)
    expect(seen.map(({ tool, success }) => [tool, success])).toEqual([
      ['shell', false],
      ['delete_file', false],
      ['create_file', true],
    ])
    expect(seen[0]?.error).toMatch(/--permission-mode/)
    expect(['log.txt', 'old.txt', 'new.txt'].map((name) => existsSync(join(program.folder, name)))).toEqual([
      false,
      true,
      true,
    ])
  },
)

test('a request for guidance is left open, declined or passed over, as the policy says', async () => {
  const answerFor = async (policy: string) => {
    const program = new Program()
    const model = program.replies(
      { calls: [edit] },
      { text: 'Half done.' },
      { text: '{"verdict":"needs_person","reason":"Which one?"}' },
      { text: 'I chose.' },
    )
    const flags = ['--on-pending', policy, '--output-format', 'json']
    const { code, stdout } = await program.run(['-p', 'go', model, ...flags])
    const { status, final_answer } = readResult(stdout)
    return { code, status, final_answer }
  }
  expect(await answerFor('fail')).toEqual({
    code: 54,
    status: 'pending',
    final_answer: expect.stringContaining('Guidance · major\n  Which one?'),
  })
  expect(await answerFor('default')).toMatchObject({ code: 54, status: 'cancelled' })
  expect(await answerFor('approve')).toEqual({ code: 0, status: 'complete', final_answer: 'I chose.' })
})

const observations = (envelopes: Envelope[]) =>
  envelopes.flatMap(({ event }) => (event.type === 'observation.recorded' ? [event.observation] : []))

async function storedTypes(program: Program, chat: string): Promise<string[]> {
  const { stdout } = await program.run(['sessions', 'export', chat, '--format', 'json'])
  const lines = stdout.trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as Envelope).event.type)
}
