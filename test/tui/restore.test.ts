import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

/** What a terminal is like that nobody touched. */
const untouched = {
  screen: 'normal',
  bracketedPasteMode: false,
  mouseTrackingMode: 'none',
  sendFocusMode: false,
  applicationCursorKeysMode: false,
}

const waysOut: [string, (terminal: TerminalSession) => void | Promise<void>][] = [
  ['/quit', (terminal) => terminal.type('/quit\r')],
  ['Ctrl+C twice', (terminal) => terminal.press('ctrl+c', 'ctrl+c')],
  ['SIGTERM', (terminal) => terminal.signal('SIGTERM')],
  ['SIGHUP', (terminal) => terminal.signal('SIGHUP')],
  ['SIGINT', (terminal) => terminal.signal('SIGINT')],
]

for (const [name, leave] of waysOut) {
  test(`38 the terminal is as it was after ${name}`, async () => {
    const program = new Program()
    const terminal = new TerminalSession(program, [program.replies({ text: 'slow', delay_ms: 60_000 })])
    await terminal.waitFor('[ Act ]')
    expect(terminal.modes).toMatchObject({ screen: 'alternate', bracketedPasteMode: true })
    await leave(terminal)
    await terminal.ended
    await terminal.settled()
    expect(terminal.modes).toMatchObject(untouched)
    expect(terminal.output).toContain('\u001b[?25h')
  })
}

test('38 the terminal is as it was after a config that cannot be used', async () => {
  const program = new Program().configure('agents: 7\n')
  const terminal = new TerminalSession(program, [])
  expect(await terminal.ended).toMatchObject({ code: 52 })
  await terminal.settled()
  expect(terminal.modes).toMatchObject(untouched)
  expect(terminal.screen()).toContain('agents')
})

test('38 leaving while an agent works ends it and gives the terminal back', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [
    program.replies({ text: 'slow', delay_ms: 60_000 }),
    'begin',
  ])
  await terminal.waitFor('Esc interrupt')
  await terminal.press('ctrl+c', 'ctrl+c')
  expect(await terminal.ended).toMatchObject({ code: 0 })
  await terminal.settled()
  expect(terminal.modes).toMatchObject(untouched)
})

/** Everything that was switched on has been switched off after it, by the bytes. */
function expectGivenBack(output: string): void {
  const pairs = [
    ['\u001b[?1049h', '\u001b[?1049l'],
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[?1003h', '\u001b[?1003l'],
    ['\u001b[?1006h', '\u001b[?1006l'],
    ['\u001b[?25l', '\u001b[?25h'],
    // The Kitty keyboard, and the keys xterm can report besides.
    ['\u001b[>7u', '\u001b[<u'],
    ['\u001b[>4;2m', '\u001b[>4;0m'],
    ['\u001b[?2026h', '\u001b[?2026l'],
  ] as const
  for (const [on, off] of pairs) {
    if (output.includes(on))
      expect([on, output.lastIndexOf(off) > output.lastIndexOf(on)]).toEqual([on, true])
  }
  expect(output).toContain('\u001b[?2004l')
}

/** To the program alone, not to the shell that started it. */
async function signalProgram(terminal: TerminalSession, name: NodeJS.Signals): Promise<void> {
  const [child] = readFileSync(`/proc/${terminal.pid}/task/${terminal.pid}/children`, 'utf8')
    .trim()
    .split(' ')
  process.kill(Number(child), name)
}

/** Something goes wrong in the program when it gets SIGUSR2. */
function trouble(program: Program, code: string): Record<string, string> {
  const file = join(program.home, 'trouble.mjs')
  writeFileSync(file, `process.on('SIGUSR2', () => { ${code} })\n`)
  return { NODE_OPTIONS: `--import=${file}` }
}

for (const [name, code] of [
  ['a throw', `throw new Error('a bug')`],
  ['a rejection nobody handles', `void Promise.reject(new Error('a bug'))`],
] as const) {
  test(`38 the terminal is as it was after ${name}, and the trace can be read`, async () => {
    const program = new Program()
    const env = trouble(program, code)
    const terminal = new TerminalSession(program, [program.replies({ text: 'hi' })], { env })
    await terminal.waitFor('agent answers')
    terminal.signal('SIGUSR2')
    expect(await terminal.ended).toMatchObject({ code: 1 })
    await terminal.settled()
    expect(terminal.modes).toMatchObject(untouched)
    expect(terminal.state).toMatchObject({ isCursorHidden: false, scrollTop: 0, charset: 0 })
    expectGivenBack(terminal.output)
    expect(terminal.screen()).toContain('a bug ended the terminal UI')
    expect(terminal.screen()).toContain('Error: a bug')
  })
}

for (const [name, leave] of waysOut) {
  test(`38 the line of the terminal and all its modes are as before after ${name}`, async () => {
    const program = new Program()
    const command = ['sh', '-c', 'stty -g; "$CONCLAVE" "$@"; stty -g; echo over', 'sh'] as const
    const terminal = new TerminalSession(program, [], {
      command: [...command, program.replies({ text: 'hi' })],
    })
    await terminal.waitFor('agent answers')
    const isSignal = name.startsWith('SIG')
    if (isSignal) await signalProgram(terminal, name as NodeJS.Signals)
    else await leave(terminal)
    await terminal.ended
    await terminal.settled()
    const modes = [...terminal.output.matchAll(/[\da-f]+(?::[\da-f]+){10,}/g)].map(([mode]) => mode)
    expect(modes).toHaveLength(2)
    expect(modes[1]).toBe(modes[0])
    expect(terminal.modes).toMatchObject(untouched)
    expectGivenBack(terminal.output)
  })
}

test('38 Ctrl+Z gives the terminal to the shell and fg takes it again', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [], {
    command: ['bash', '--norc', '--noprofile', '-i'],
    env: { PS1: 'shell> ' },
  })
  await terminal.waitFor('shell>')
  terminal.type(`"$CONCLAVE" ${program.replies({ text: 'Here I am.' })}\r`)
  await terminal.waitFor('agent answers')
  terminal.type('half a sen')
  await terminal.waitFor('❯ half a sen')
  await terminal.press('ctrl+z')
  await terminal.waitFor('Stopped')
  await terminal.settled()
  expect(terminal.modes).toMatchObject({ screen: 'normal', mouseTrackingMode: 'none' })
  expectGivenBack(terminal.output.slice(0, terminal.output.indexOf('Stopped')))
  terminal.type('fg\r')
  await terminal.waitFor('❯ half a sen')
  expect(terminal.modes).toMatchObject({ screen: 'alternate', bracketedPasteMode: true })
  terminal.type('tence\r')
  await terminal.waitFor('Here I am.')
  await terminal.press('ctrl+c', 'ctrl+c')
  await terminal.waitFor((screen) => /shell> *$/.test(screen.trimEnd()))
  expect(terminal.modes).toMatchObject({ screen: 'normal', mouseTrackingMode: 'none' })
})

test('38 a child that crashes leaves the screen alone', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [program.replies({ text: 'hi' })])
  await terminal.waitFor('agent answers')
  const before = terminal.modes
  terminal.type("!printf '\\033[?1049l\\033[?2004l'; kill -SEGV $$\r")
  await terminal.waitFor('exit killed')
  expect(terminal.modes).toEqual(before)
  await terminal.escapeFrom('exit killed')
  await terminal.press('ctrl+c', 'ctrl+c')
  await terminal.ended
  await terminal.settled()
  expect(terminal.modes).toMatchObject(untouched)
})
