import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

/** Resident memory in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000

const leave = async (terminal: TerminalSession) => {
  await terminal.press('ctrl+c', 'ctrl+c', 'ctrl+c')
  return terminal.ended
}

test('39 a storm of sizes, one by one among them, ends with a whole screen', async () => {
  const program = new Program()
  const text = Array.from({ length: 200 }, (_, line) => `Paragraph ${line}.`).join('\n\n')
  const terminal = new TerminalSession(program, [program.replies({ text }), 'tell'])
  await terminal.waitFor('Paragraph 199.')
  for (let round = 0; round < 60; round++) {
    terminal.resize(1 + ((round * 37) % 200), 1 + ((round * 13) % 60))
    if (round % 4 === 0) await sleep(10)
  }
  terminal.resize(1, 1)
  await sleep(100)
  terminal.type('x')
  terminal.resize(100, 30)
  const screen = await terminal.waitFor('❯ x')
  expect(screen).toContain('Paragraph 199.')
  expect(screen).toContain('[ Act ]')
  expect(await leave(terminal)).toMatchObject({ code: 0 })
})

test('39 a million lines of output and ten megabytes of paste neither end it nor fill the memory', async () => {
  const program = new Program()
  const calls = [{ name: 'shell', input: { command: 'seq 1000000' } }]
  const model = program.replies({ calls }, { text: 'finished' })
  const terminal = new TerminalSession(program, [model, '--permission-mode=auto'])
  await terminal.waitFor('agent answers')
  const before = memoryOf(terminal.pid)
  terminal.type('count\r')
  await terminal.waitFor('finished')
  expect(terminal.screen()).toContain('seq 1000000')
  await terminal.press('ctrl+o')
  await terminal.waitFor('more lines (conclave sessions show has all)')
  terminal.paste('0123456789abcde\n'.repeat(655_360))
  await terminal.waitFor('[paste #1')
  await terminal.press('ctrl+c')
  await terminal.waitFor((screen) => !screen.includes('[paste #1'))
  expect(memoryOf(terminal.pid) - before).toBeLessThan(400)
  terminal.type('still here')
  await terminal.waitFor('❯ still here')
}, 120_000)

test('39 a terminal that is not read for a while loses nothing', async () => {
  const program = new Program()
  const text = Array.from({ length: 300 }, (_, line) => `Paragraph ${line}.`).join('\n\n')
  const terminal = new TerminalSession(program, [program.replies({ text })])
  await terminal.waitFor('agent answers')
  terminal.pauseReading()
  terminal.type('tell\r')
  // Enough to fill what the system holds for the reader.
  for (let key = 0; key < 200; key++) terminal.type('\u000c')
  await sleep(1500)
  terminal.resumeReading()
  await terminal.waitFor('Paragraph 299.')
  expect(terminal.screen()).toContain('[ Act ]')
  expect(await leave(terminal)).toMatchObject({ code: 0 })
})

test('39 without a terminal it says so and does nothing', async () => {
  const program = new Program()
  const { code, stderr, stdout } = await program.run([])
  expect(code).toBe(2)
  expect(stderr).toContain('needs a terminal')
  expect(stdout).toBe('')
})

test('39 a terminal whose input is closed is told so too', async () => {
  const program = new Program()
  const command: [string, ...string[]] = ['sh', '-c', '"$CONCLAVE" <&-']
  const terminal = new TerminalSession(program, [], { command })
  expect(await terminal.ended).toMatchObject({ code: 2 })
  await terminal.settled()
  expect(terminal.screen()).toContain('needs a terminal')
})

test('39 a terminal that is closed takes the program with it', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [
    program.replies({ text: 'slow', delay_ms: 60_000 }),
    'begin',
  ])
  await terminal.waitFor('Esc interrupt')
  const { pid } = terminal
  terminal.hangUp()
  const isAlive = () => {
    try {
      return !/^State:\s+[ZX]/m.test(readFileSync(join('/proc', String(pid), 'status'), 'utf8'))
    } catch {
      return false
    }
  }
  for (let tries = 0; isAlive() && tries < 400; tries++) await sleep(25)
  expect(isAlive()).toBe(false)
})
