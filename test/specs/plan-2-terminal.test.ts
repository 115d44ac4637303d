import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

for (const way of ['typed', 'clicked'] as const) {
  test(`PLAN-2.2 switching to Plan mode while an agent works asks first, then stops it (${way})`, async () => {
    const program = new Program()
    const model = program.replies({ text: 'slow', delay_ms: 60_000 })
    const terminal = new TerminalSession(program, [model, 'begin'])
    await terminal.waitFor('Esc interrupt')
    const ask = () => (way === 'typed' ? terminal.press('shift+tab') : terminal.click('[ Act ]'))
    await ask()
    const screen = await terminal.waitFor('Stop the work and switch to Plan mode?')
    expect(screen).toContain('[ Stop and switch ]')
    // Enter alone, or Esc, changes nothing.
    await terminal.press('enter')
    await terminal.waitUntilGone('Stop the work')
    expect(terminal.screen()).toContain('[ Act ]')
    expect(terminal.screen()).toContain('Esc interrupt')

    await ask()
    await terminal.waitFor('[ Stop and switch ]')
    if (way === 'typed') terminal.type('y')
    else await terminal.click('[ Stop and switch ]')
    await terminal.waitFor('[ Plan ]')
    expect(await terminal.waitUntilGone('Esc interrupt')).toContain('interrupted')
  })
}
