import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import type { RunResult } from '../../src/schema/run-result.ts'
import { temporaryFolder, writeFiles } from './workbench.ts'

const launcher = join(import.meta.dirname, '../../bin/conclave')

export interface RunOptions {
  stdin?: string | Buffer
  env?: Record<string, string>
  cwd?: string
  /** Even root is stopped by permissions. */
  unprivileged?: boolean
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** The built program as a person starts it: in a folder of its own, with an empty home and a clean environment. */
export class Program {
  readonly folder: string
  readonly home: string
  readonly #scripts: string

  constructor(files: Record<string, string> = {}) {
    const base = temporaryFolder()
    this.folder = join(base, 'project')
    this.home = join(base, 'home')
    this.#scripts = join(base, 'scripts')
    for (const folder of [this.folder, this.home, this.#scripts]) mkdirSync(folder)
    writeFiles(this.folder, files)
  }

  get journal(): string {
    return join(this.home, '.local/share/conclave/journal.db')
  }

  /** Writes the person's own config: one in the project would have to be trusted first. */
  configure(source: string): this {
    writeFiles(this.home, { '.config/conclave/config.yaml': source })
    return this
  }

  /** The flag for a model that gives these replies. */
  replies(...replies: ScriptedReply[]): string {
    const file = join(this.#scripts, `${Math.random()}.json`)
    writeFileSync(file, JSON.stringify(replies))
    return `--model=scripted/${file}`
  }

  /** Runs the program to its end. */
  run(args: string[], options: RunOptions = {}): Promise<Ended> {
    return this.start(args, options).ended
  }

  start(args: string[], { stdin, env, cwd = this.folder, unprivileged = false }: RunOptions = {}): Running {
    const [command, ...before] = unprivileged && process.getuid?.() === 0 ? withoutRights : []
    const child = spawn(command ?? launcher, command ? [...before, launcher, ...args] : args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: this.home, ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    // A program that does not read its input to the end is no failure of the test.
    child.stdin?.on('error', () => undefined).end(stdin)
    onTestFinished(() => void child.kill('SIGKILL'))
    return new Running(child)
  }

  /** Runs a shell command line in which `conclave` is the program, and `$CONCLAVE` the path of it. */
  shell(line: string): Promise<Ended> {
    const child = spawn('sh', ['-c', `conclave() { "$CONCLAVE" "$@"; }; ${line}`], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], HOME: this.home, CONCLAVE: launcher },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return new Running(child).ended
  }
}

const withoutRights = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--']

/** A program that has been started. */
export class Running {
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  stdout = ''
  stderr = ''

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Waits for something to become true. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await sleep(5)
  }
}

export const readResult = (stdout: string): RunResult => JSON.parse(stdout) as RunResult

/** What `stream-json` printed: the envelopes, and the result at the end. */
export function readStream(stdout: string): { envelopes: Envelope[]; result: RunResult } {
  const lines = stdout.trimEnd().split('\n')
  const result = readResult(lines.pop() ?? '')
  return { envelopes: lines.map((line) => JSON.parse(line) as Envelope), result }
}

/** A config that names one agent `a` on this server. */
export const serverConfig = (base_url: string, more = ''): string =>
  `agents:\n  - id: a\n    backend: { type: openai_compatible, base_url: "${base_url}", model: m${more} }\n`
