import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPty } from '@lydell/node-pty'
import type { IBufferCell, Terminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import type { Program } from './program.ts'

const load = createRequire(import.meta.url)
const launcher = join(import.meta.dirname, '../../bin/conclave')

export interface TerminalOptions {
  cols?: number
  rows?: number
  env?: Record<string, string>
  /** What is started instead of the program, such as a shell; `$CONCLAVE` is the program's path. */
  command?: [string, ...string[]]
}

/** Keys by name, as a terminal without the Kitty protocol sends them. */
const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  space: ' ',
} as const

export type KeyName = keyof typeof keys | `ctrl+${string}` | `alt+${string}`

/** How long something may take to appear. Generous: the machine may be busy. */
const PATIENCE_MS = 20_000

/** The program in a real pseudo-terminal, its output read by a real terminal emulator. */
export class TerminalSession {
  readonly ended: Promise<{ code: number; signal?: number }>
  /** Every byte the program wrote. */
  output = ''
  bells = 0
  readonly titles: string[] = []
  readonly #pty: IPty
  readonly #emulator: Terminal

  constructor(
    program: Program,
    args: string[],
    { cols = 120, rows = 32, env = {}, command = [launcher, ...args] }: TerminalOptions = {},
  ) {
    const { spawn } = load('@lydell/node-pty') as typeof import('@lydell/node-pty')
    const { Terminal: Emulator } = load('@xterm/headless') as { Terminal: typeof Terminal }
    this.#emulator = new Emulator({ cols, rows, allowProposedApi: true, scrollback: 20_000 })
    const [file, ...rest] = command
    this.#pty = spawn(file, rest, {
      name: 'xterm-256color',
      cols,
      rows,
      cwd: program.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: program.home,
        TERM: 'xterm-256color',
        CONCLAVE: launcher,
        ...env,
      },
    })
    this.#emulator.onData((reply) => this.#pty.write(reply))
    this.#emulator.onBell(() => this.bells++)
    this.#emulator.onTitleChange((title) => this.titles.push(title))
    this.#pty.onData((data) => {
      this.output += data
      this.#emulator.write(data)
    })
    this.ended = new Promise((resolve) =>
      this.#pty.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal })),
    )
    let over = false
    void this.ended.then(() => (over = true))
    onTestFinished(() => {
      if (!over) this.#pty.kill('SIGKILL')
      this.#emulator.dispose()
    })
  }

  get pid(): number {
    return this.#pty.pid
  }

  /** Which screen is shown and which modes are on: compare before and after. */
  get modes(): object {
    // A frame may just be on its way.
    const { synchronizedOutputMode: _, ...modes } = this.#emulator.modes
    return { screen: this.#emulator.buffer.active.type, ...modes }
  }

  /** What the emulator keeps besides: whether the cursor is hidden, the region that scrolls, the character set. */
  get state(): object {
    const { _core: core } = this.#emulator as unknown as { _core: EmulatorCore }
    const { scrollTop, scrollBottom } = core.buffer
    const { isCursorHidden } = core.coreService
    return { isCursorHidden, scrollTop, scrollBottom, charset: core._charsetService.glevel }
  }

  /** The reader of the terminal stops, as on a connection that hangs. */
  pauseReading(): void {
    this.#pty.pause()
  }

  resumeReading(): void {
    this.#pty.resume()
  }

  /** The terminal is gone, as when its window is closed. */
  hangUp(): void {
    ;(this.#pty as unknown as { destroy(): void }).destroy()
  }

  type(text: string): void {
    this.#pty.write(text)
  }

  /** Each key on its own, with a pause: an Escape followed at once by a letter would be Alt+letter. */
  async press(...names: KeyName[]): Promise<void> {
    for (const name of names) {
      this.#pty.write(bytesOf(name))
      await sleep(40)
    }
  }

  /** Presses a key again and again until the screen fits: a card that has just appeared takes no approval yet. */
  async pressUntil(name: KeyName | string, fits: (screen: string) => boolean): Promise<void> {
    await this.#again(name, fits, async () =>
      this.#pty.write(name.length === 1 ? name : bytesOf(name as KeyName)),
    )
  }

  /** The same with a click on a text, once it is there and as long as it is. */
  async clickUntil(text: string, fits: (screen: string) => boolean): Promise<void> {
    await this.waitFor(text)
    await this.#again(text, fits, async () => {
      if (this.screen().includes(text)) await this.click(text)
    })
  }

  async #again(what: string, fits: (screen: string) => boolean, act: () => Promise<void>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!fits(this.screen())) {
      if (Date.now() > deadline) throw new Error(`${what} did not do it; the screen:\n${this.screen()}`)
      await act()
      const next = Date.now() + 150
      while (Date.now() < next && !fits(this.screen())) await sleep(15)
    }
  }

  /** Esc, and what it closes is gone: what is typed too soon after it would be Alt and a letter. */
  async escapeFrom(text: string): Promise<void> {
    await this.press('escape')
    await this.waitUntilGone(text)
  }

  paste(text: string): void {
    this.#pty.write(`\u001b[200~${text}\u001b[201~`)
  }

  /** Clicks the middle of a text on the screen: the `nth` one, counted from the top; the last with -1. */
  async click(text: string, nth = 0): Promise<void> {
    await this.waitFor(text)
    const places = this.#find(text)
    const place = places.at(nth)
    if (!place) throw new Error(`only ${places.length} times on the screen: ${text}`)
    const at = `${place.column + Math.floor(text.length / 2) + 1};${place.row + 1}`
    this.#pty.write(`\u001b[<0;${at}M`)
    this.#pty.write(`\u001b[<0;${at}m`)
    await sleep(40)
  }

  /** Moves the pointer over a text without pressing. */
  async hover(text: string, nth = 0): Promise<void> {
    await this.waitFor(text)
    const place = this.#find(text).at(nth)
    if (place) this.#pty.write(`\u001b[<35;${place.column + 2};${place.row + 1}M`)
    await sleep(40)
  }

  wheel(lines: number, column = 10, row = 5): void {
    const code = lines < 0 ? 64 : 65
    for (let count = 0; count < Math.abs(lines); count++) this.#pty.write(`\u001b[<${code};${column};${row}M`)
  }

  resize(cols: number, rows: number): void {
    this.#emulator.resize(cols, rows)
    this.#pty.resize(cols, rows)
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.#pty.pid, name)
  }

  /** The rows that are visible, without the blanks at their ends. */
  rows(): string[] {
    const { buffer, rows } = this.#emulator
    return Array.from({ length: rows }, (_, row) => readRow(buffer.active, buffer.active.baseY + row))
  }

  screen(): string {
    return this.rows().join('\n')
  }

  /** What was scrolled off the top, and the screen. */
  scrollback(): string {
    const { active } = this.#emulator.buffer
    return Array.from({ length: active.length }, (_, row) => readRow(active, row)).join('\n')
  }

  /** How the first character of a text looks. */
  styleOf(text: string, nth = 0): { color: number; bold: boolean; dim: boolean; reverse: boolean } {
    const place = this.#find(text).at(nth)
    const { active } = this.#emulator.buffer
    const cell: IBufferCell | undefined =
      place && active.getLine(active.baseY + place.row)?.getCell(place.column)
    if (!cell) throw new Error(`not on the screen: ${text}\n${this.screen()}`)
    return {
      color: cell.isFgDefault() ? -1 : cell.getFgColor(),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      reverse: cell.isInverse() !== 0,
    }
  }

  /** Everything written so far has been taken in by the emulator. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write('', resolve))
  }

  /** Waits until the screen shows a text, fits a pattern or passes a test; fails with the screen. */
  async waitFor(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    const fits = (screen: string): boolean =>
      typeof wanted === 'string'
        ? screen.includes(wanted)
        : wanted instanceof RegExp
          ? wanted.test(screen)
          : wanted(screen)
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const screen = this.screen()
      // A frame that is only half there may hold what is waited for, and not yet what belongs to it.
      if (fits(screen) && !this.#emulator.modes.synchronizedOutputMode) return screen
      if (Date.now() > deadline)
        throw new Error(`waited in vain for ${String(wanted)}; the screen:\n${screen}`)
      await sleep(15)
    }
  }

  /** Waits for bytes in the output, such as a question to the terminal. */
  async waitForOutput(bytes: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!this.output.includes(bytes)) {
      if (Date.now() > deadline) throw new Error(`${JSON.stringify(bytes)} was never written`)
      await sleep(5)
    }
  }

  waitUntilGone(text: string): Promise<string> {
    return this.waitFor((screen) => !screen.includes(text))
  }

  #find(text: string): { row: number; column: number }[] {
    return this.rows().flatMap((line, row) => {
      const found: { row: number; column: number }[] = []
      for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1))
        found.push({ row, column: at })
      return found
    })
  }
}

interface EmulatorCore {
  buffer: { scrollTop: number; scrollBottom: number }
  coreService: { isCursorHidden: boolean }
  _charsetService: { glevel: number }
}

type Lines = Terminal['buffer']['active']

const readRow = (lines: Lines, row: number): string => lines.getLine(row)?.translateToString(true) ?? ''

function bytesOf(name: KeyName): string {
  if (Object.hasOwn(keys, name)) return keys[name as keyof typeof keys]
  if (name.startsWith('ctrl+')) return String.fromCharCode(name.charCodeAt(5) & 0x1f)
  if (name.startsWith('alt+')) return `\u001b${name.slice(4)}`
  throw new Error(`no such key: ${name}`)
}
