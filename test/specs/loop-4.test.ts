import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { Workbench } from '../support/workbench.ts'

test('LOOP-4.1 an observation holds tool, input, output, time and success, and reflection sees it', async () => {
  const bench = new Workbench({
    files: { 'a.txt': 'alpha\n' },
    replies: [
      { calls: [{ name: 'shell', input: { command: 'sleep 0.05; cat a.txt' } }] },
      { text: 'done' },
      { text: '{"verdict":"complete","reason":"read it"}' },
    ],
  })
  const turn = await bench.run('read it', { reflect: 'always' })

  expect(toArray(turn.observations)).toEqual([
    {
      call_id: expect.stringMatching(/^call_/),
      tool: 'shell',
      input: { command: 'sleep 0.05; cat a.txt' },
      output: expect.stringContaining('alpha'),
      duration_ms: expect.any(Number),
      success: true,
    },
  ])
  expect(turn.observations?.last.duration_ms).toBeGreaterThanOrEqual(50)
  const events = bench.turnEvents().map(({ type }) => type)
  expect(events.indexOf('observation.recorded')).toBeLessThan(events.indexOf('reflection.recorded'))
  // What the explicit Reflect call is sent: the observation's output is in the conversation before it.
  const entries = toArray(turn.entries).map(({ kind }) => kind)
  expect(entries).toEqual(['prompt', 'reply', 'result', 'reply', 'reflect', 'reply'])
})

test('LOOP-4.2 a failure is an observation with its error message and context', async () => {
  const bench = new Workbench({
    replies: [
      {
        calls: [
          { name: 'read_file', input: { path: 'missing.txt' } },
          { name: 'shell', input: { command: 'echo to stderr >&2; exit 3' } },
          { name: 'no_such_tool', input: {} },
          { name: 'read_file', input: { pth: 'typo' } },
        ],
      },
      { text: 'that failed' },
    ],
  })
  const turn = await bench.run('try things')

  const [missing, command, unknown, typo] = toArray(turn.observations)
  expect(missing).toMatchObject({ tool: 'read_file', success: false, input: { path: 'missing.txt' } })
  expect(missing?.error).toContain('missing.txt')
  expect(command?.error).toMatch(/to stderr[^]*exit code 3/)
  expect(unknown?.error).toContain('no tool called no_such_tool')
  expect(typo?.error).toMatch(/path is missing.*pth is unknown/)
  expect(turn.outcome).toBe('complete')
})
