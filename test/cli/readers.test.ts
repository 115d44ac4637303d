import { expect, test } from 'vitest'
import { Program, readResult } from '../support/program.ts'

test('a reader that goes away ends the run without a stack trace', async () => {
  const program = new Program()
  const model = program.replies(
    { text: 'first', calls: [{ name: 'list_directory', input: {} }] },
    { text: 'slow', delay_ms: 60_000 },
  )
  const { stdout, stderr } = await program.shell(
    `conclave -p hi ${model} --output-format stream-json | head -1; conclave sessions list`,
  )
  expect(stderr).toBe('')
  const [first, ...chats] = stdout.trimEnd().split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({ event: { type: 'chat.created' } })
  expect(chats).toEqual([expect.stringMatching(/^chat_.*cancelled/)])
})

test('a list is cut short without complaint', async () => {
  const program = new Program()
  const model = program.replies({ text: 'ok' })
  for (const prompt of ['one', 'two']) await program.run(['-p', prompt, model])
  const { stdout, stderr } = await program.shell(
    'for i in 1 2 3; do conclave sessions list; done | head -1; conclave --help | head -1',
  )
  expect(stderr).toBe('')
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringContaining('two'),
    expect.stringMatching(/^conclave \d/),
  ])
})

test('a slow reader gets everything', async () => {
  const program = new Program()
  const text = 'x'.repeat(2_000_000)
  const slow = '(sleep 0.4; wc -c)'
  const model = program.replies({ text })
  const { stdout } = await program.shell(`conclave -p hi ${model} | ${slow}`)
  expect(Number(stdout)).toBe(text.length + 1)
  const lines = await program.shell(
    `conclave -p hi ${model} --output-format stream-json | (sleep 0.4; cat) | tail -1`,
  )
  expect(readResult(lines.stdout).final_answer.length).toBe(text.length)
  const { chat_id } = readResult(lines.stdout)
  const exported = await program.shell(`conclave sessions export ${chat_id} | ${slow}`)
  expect(Number(exported.stdout)).toBeGreaterThan(text.length)
})

test('a full disk is reported', async () => {
  const program = new Program()
  const model = program.replies({ text: 'ok' })
  const { stdout, stderr } = await program.shell(`conclave -p hi ${model} > /dev/full; echo $?`)
  expect(stdout).toBe('1\n')
  expect(stderr).toMatch(/^conclave: the output could not be written: ENOSPC/)
  expect(stderr).not.toContain('    at ')
})
