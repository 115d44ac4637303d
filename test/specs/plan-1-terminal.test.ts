import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

test('PLAN-1.3 the mode is shown in a colour of its own and explained; pointing at it says what it means', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [program.replies({ text: 'hello' })])
  await terminal.waitFor('Act mode: agents carry out what you ask.')
  const act = terminal.styleOf('[ Act ]').color
  await terminal.press('shift+tab')
  await terminal.waitFor('Plan mode: agents look and propose; nothing is changed.')
  const plan = terminal.styleOf('[ Plan ]').color
  expect(plan).not.toBe(act)
  const calm = terminal.styleOf('Plan mode: agents').color
  await terminal.hover('[ Plan ]')
  await terminal.waitFor(() => terminal.styleOf('Plan mode: agents').color !== calm)
})
