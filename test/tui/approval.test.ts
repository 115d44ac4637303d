import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

const asks = (command: string) => ({ calls: [{ name: 'shell', input: { command } }] })

test('37 a long command cannot be approved before its end was seen', async () => {
  const program = new Program()
  const lines = Array.from({ length: 60 }, (_, index) => `echo line ${index} > /dev/null`)
  const model = program.replies(asks([...lines, 'touch made'].join('\n')), { text: 'finished' })
  const terminal = new TerminalSession(program, [model], { cols: 80, rows: 24 })
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  await terminal.waitFor('wants to use shell')
  expect(terminal.screen()).toContain('more lines: PageDown')
  await terminal.press('enter')
  await terminal.pressUntil('y', (screen) =>
    screen.includes('more lines to read before this can be approved'),
  )
  expect(existsSync(join(program.folder, 'made'))).toBe(false)
  await terminal.pressUntil(
    'pageDown',
    (screen) => screen.includes('touch made') && screen.includes('— end —'),
  )
  await terminal.pressUntil('y', (screen) => screen.includes('finished'))
  expect(existsSync(join(program.folder, 'made'))).toBe(true)
})

test('37 what hides in a command is said beside its real bytes', async () => {
  const program = new Program()
  const model = program.replies(asks(`сp a b${' '.repeat(200)}; rm -r \u200bx`), { text: 'finished' })
  const terminal = new TerminalSession(program, [model])
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  const screen = await terminal.waitFor('wants to use shell')
  for (const text of ['look like others', 'U+0441', 'a stretch of 200 blanks', '\\u{200b}'])
    expect(screen).toContain(text)
  terminal.type('n')
  await terminal.waitFor('finished')
})

test('a bare Enter approves nothing; a refusal can say why', async () => {
  const program = new Program()
  const model = program.replies(asks('rm -r build'), { text: 'finished' })
  const terminal = new TerminalSession(program, [model])
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  await terminal.waitFor('wants to use shell')
  await terminal.press('enter')
  await terminal.waitFor('needs a choice')
  terminal.type('r')
  await terminal.waitFor('Why not?')
  terminal.type('I still need it\r')
  await terminal.waitFor('finished')
  await terminal.press('ctrl+o')
  expect(await terminal.waitFor('I still need it')).toContain('finished')
})

test('37 five hundred lines are read step by step, even on a small screen, before a key or a click approves them', async () => {
  const program = new Program()
  const lines = Array.from({ length: 500 }, (_, index) => `: step ${index} end`)
  const model = program.replies(asks([...lines, 'touch made'].join('\n')), { text: 'finished' })
  const terminal = new TerminalSession(program, [model], { cols: 60, rows: 12 })
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  await terminal.waitFor('wants to use shell')
  await terminal.press('enter')
  await terminal.pressUntil('y', (screen) => screen.includes('more lines to read'))
  const seen = new Set<string>()
  const shown = (screen: string) => [...screen.matchAll(/step (\d+) end|— end —/g)].map(String).join()
  const look = () => {
    for (const [, step] of terminal.screen().matchAll(/step (\d+) end/g)) seen.add(step ?? '')
  }
  for (let tries = 0; !terminal.screen().includes('— end —'); tries++) {
    if (tries > 900) throw new Error(`the end never came:\n${terminal.screen()}`)
    look()
    const before = shown(terminal.screen())
    terminal.type('\u001b[6~')
    // The clock beside it changes too.
    await terminal.waitFor((screen) => shown(screen) !== before)
  }
  look()
  expect(seen.size).toBe(500)
  expect(existsSync(join(program.folder, 'made'))).toBe(false)
  await terminal.pressUntil('y', (screen) => screen.includes('finished'))
  expect(existsSync(join(program.folder, 'made'))).toBe(true)
}, 60_000)

test('37 a screen that changes its width shows what is to be approved from the beginning', async () => {
  const program = new Program()
  const lines = Array.from({ length: 80 }, (_, index) => `: step ${index} ${'x'.repeat(60)}`)
  const model = program.replies(asks([...lines, 'touch made'].join('\n')), { text: 'finished' })
  const terminal = new TerminalSession(program, [model], { cols: 50, rows: 24 })
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  await terminal.waitFor('wants to use shell')
  await terminal.pressUntil('pageDown', (screen) => screen.includes('step 30'))
  terminal.resize(120, 24)
  await terminal.waitFor('step 0 ')
  await terminal.pressUntil('y', (screen) => screen.includes('more lines to read'))
  expect(existsSync(join(program.folder, 'made'))).toBe(false)
})

test('37 text that runs backwards is shown by its code and flagged', async () => {
  const program = new Program()
  const model = program.replies(asks('rm a.txt # \u202egnp.b\u202c\u2066x\u2069'), { text: 'finished' })
  const terminal = new TerminalSession(program, [model])
  await terminal.waitFor('[ Act ]')
  terminal.type('go\r')
  const screen = await terminal.waitFor('wants to use shell')
  for (const text of ['\\u{202e}gnp.b\\u{202c}', '\\u{2066}x\\u{2069}', '4 invisible characters']) {
    expect(screen).toContain(text)
  }
  expect(terminal.output).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})
