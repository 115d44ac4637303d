import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { team } from '../support/team-config.ts'

const rowOf = (rows: string[], text: string): number => rows.findIndex((row) => row.includes(text))

test('MODE-2.1 the mode bar is directly above the input, and its toggles can be clicked', async () => {
  const program = team(new Program(), { ada: [{ text: 'hello' }], bob: [{ text: 'hi' }] })
  for (const [cols, rows] of [
    [120, 32],
    [80, 24],
    [200, 60],
  ] as const) {
    const terminal = new TerminalSession(program, [], { cols, rows })
    await terminal.waitFor('[ Act ] [ Multi ] [ Refine on ]')
    expect(rowOf(terminal.rows(), '❯')).toBe(rowOf(terminal.rows(), '[ Act ]') + 1)

    await terminal.click('[ Act ]')
    await terminal.waitFor('[ Plan ] [ Multi ] [ Refine on ]')
    await terminal.click('[ Multi ]')
    await terminal.waitFor('[ Plan ] [ Single ]')
    await terminal.click('[ Refine')
    await terminal.waitFor('[ Plan ] [ Single ] [ Refine on ]')
    await terminal.press('ctrl+c', 'ctrl+c')
    expect(await terminal.ended).toMatchObject({ code: 0 })
  }
})

test('MODE-2.2 while agents work the toggles are grey, say so and change nothing', async () => {
  const program = new Program()
  const model = program.replies({ text: 'slow', delay_ms: 60_000 })
  const terminal = new TerminalSession(program, [model])
  await terminal.waitFor('[ Act ] [ Single ] [ Refine off ]')
  const free = terminal.styleOf('[ Act ]')

  terminal.type('work\r')
  await terminal.waitFor('locked while agents work')
  expect(terminal.styleOf('[ Act ]')).not.toEqual(free)
  await terminal.click('[ Refine off ]')
  await terminal.waitFor('Refine off: locked while agents work')
  expect(terminal.screen()).toContain('[ Act ] [ Single ] [ Refine off ]')

  await terminal.press('escape')
  await terminal.waitUntilGone('locked while agents work')
  await terminal.click('[ Refine off ]')
  await terminal.waitFor('[ Refine on ]')
})
