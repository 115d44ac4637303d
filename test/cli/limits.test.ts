import { expect, test } from 'vitest'
import { Program, readResult } from '../support/program.ts'

const look = (path: string) => ({ name: 'list_directory', input: { path } })
// Much more than the requests themselves, so that what the next one may take does not matter.
const usage = { input_tokens: 600_000, output_tokens: 400_000, cost_usd: 0.75 }
const busy = Array.from({ length: 5 }, (_, index) => ({ calls: [look(`d${index}`)], usage }))

test.each([
  { flag: ['--max-iterations', '2'], limit: '2 iterations', calls: 2 },
  { flag: ['--max-tokens', '1500000'], limit: '2000000 tokens', calls: 2 },
  { flag: ['--max-budget-usd', '2'], limit: '$2.25', calls: 3 },
])('$flag ends the run with 53 and a report', async ({ flag, limit, calls }) => {
  const program = new Program()
  const model = program.replies(...busy, { text: 'never said' })
  const ended = await program.run(['-p', 'go', model, ...flag, '--output-format', 'json'])
  const { status, final_answer, usage, error } = readResult(ended.stdout)
  expect({ code: ended.code, status, model_calls: usage.model_calls }).toEqual({
    code: 53,
    status: 'limit',
    model_calls: calls,
  })
  for (const text of [final_answer, error, ended.stderr]) {
    expect(text).toContain('Stopped by a limit')
    expect(text).toContain(limit)
  }
  expect(ended.stderr).toContain('raise the limit')
})

test('--timeout ends a command that hangs, with 53, and the chat can go on', async () => {
  const program = new Program()
  const model = program.replies(
    { text: 'waiting', calls: [{ name: 'shell', input: { command: 'sleep 600' } }] },
    { text: 'went on' },
  )
  const flags = [model, '--permission-mode', 'auto']
  const ended = await program.run(['-p', 'go', ...flags, '--timeout', '1', '--output-format', 'json'])
  expect(ended.code).toBe(53)
  expect(readResult(ended.stdout)).toMatchObject({ status: 'limit', error: expect.stringContaining('1 s') })
  expect((await program.run(['-c', '-p', 'go on', ...flags])).stdout).toBe('went on\n')
})

test('--timeout ends a model that hangs, however short it is', async () => {
  const program = new Program()
  const model = program.replies({ text: 'too late', delay_ms: 600_000 })
  const { code, stdout } = await program.run(['-p', 'go', model, '--timeout', '0.001'])
  expect({ code, stdout }).toEqual({ code: 53, stdout: 'Stopped by a limit: 0.001 s (--timeout).\n' })
})

test('a very long --timeout is not a very short one', async () => {
  const program = new Program()
  const model = program.replies({ text: 'in time', delay_ms: 50 })
  const ended = await program.run(['-p', 'go', model, '--timeout', '1e10'])
  expect(ended).toEqual({ code: 0, stdout: 'in time\n', stderr: '' })
})
