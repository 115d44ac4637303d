import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Ended {
  code: number | null
  /** We ended it. */
  killed: boolean
  /** Whole lines only: a line that a kill cut off was never acknowledged. */
  lines: string[]
  stderr: string
}

/** The built program, apart from the tree it was built in: a build in the meantime does not take its files away. */
export class ProgramCopy {
  readonly #folder: string

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'conclave-program-'))
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(join(root, part), join(this.#folder, part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'))
  }

  get path(): string {
    return join(this.#folder, 'bin', 'conclave')
  }

  /** Runs to the end, or kills it after `killAfter_ms`: with all of its processes, or itself alone. */
  async run(
    args: string[],
    killAfter_ms?: number,
    how: 'with_commands' | 'alone' = 'with_commands',
  ): Promise<Ended> {
    const child = spawn(this.path, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr, killed] = ['', '', false]
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const timer =
      killAfter_ms === undefined
        ? undefined
        : setTimeout(() => (killed = how === 'alone' ? child.kill('SIGKILL') : killAll(child)), killAfter_ms)
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    clearTimeout(timer)
    return { code, killed: killed && code === null, lines: stdout.split('\n').slice(0, -1), stderr }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** False when it had ended by itself. Commands run in process groups of their own and carry the program's pid as a mark. */
function killAll({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false
  if (!kill(-pid)) return false
  for (const found of processesMarked(`CONCLAVE_COMMAND=${pid}-`)) kill(found)
  return true
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

/** None where there is no `/proc`: what a command left running there ends by itself soon. */
function processesMarked(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })
}
