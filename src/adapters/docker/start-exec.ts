import type { Duplex } from 'node:stream'
import { COMMAND_MARK } from '../shell/command-mark.ts'
import { demultiplex } from './demultiplex.ts'
import type { EngineApi } from './engine-api.ts'
import { AWAIT_COMMAND, RUN_COMMAND, hasBegun, readEnd } from './first-process.ts'

export interface ExecOrder {
  cwd: string
  environment: Record<string, string>
  /** By which its processes are known again. */
  mark: string
  /** Given later, if absent. */
  command?: string
}

const SAID_CHARACTERS = 10_000

/** Starts a process beside the first one of a container. */
export async function startExec(api: EngineApi, container: string, order: ExecOrder): Promise<Exec> {
  const { cwd, environment, mark, command } = order
  const variables = { ...environment, [COMMAND_MARK]: mark }
  const waits = command === undefined
  const { Id: id } = (await api.call('POST', `/containers/${container}/exec`, {
    AttachStdin: waits,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    WorkingDir: cwd,
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    Cmd: waits ? ['sh', '-c', AWAIT_COMMAND] : ['sh', '-c', RUN_COMMAND, 'sh', command],
  })) as { Id: string }
  const stream = await api.connect(`/exec/${id}/start`, { Detach: false, Tty: false })
  return new Exec(id, mark, stream, waits)
}

/** A process in a container that runs a command or waits for one. */
export class Exec {
  readonly id: string
  readonly mark: string
  readonly stream: Duplex
  /** What the command prints. */
  readonly output: Duplex
  /** When the command has said how it ended, or the process is gone. */
  readonly ended: Promise<void>
  readonly #awaited: boolean
  #isWaiting: boolean
  #said = ''

  constructor(id: string, mark: string, stream: Duplex, waits: boolean) {
    const { PassThrough } = process.getBuiltinModule('node:stream')
    this.id = id
    this.mark = mark
    this.stream = stream
    this.output = new PassThrough()
    this.#awaited = waits
    this.#isWaiting = waits
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    const read = demultiplex((from, bytes) => {
      if (from === 'stdout') return void this.output.write(bytes)
      if (this.#said.length < SAID_CHARACTERS) this.#said += bytes.toString('latin1')
      if (this.exitCode !== undefined) resolve()
    })
    const close = (): void => {
      this.#isWaiting = false
      this.output.end()
      resolve()
    }
    stream.on('data', read).on('error', close).once('end', close).once('close', close)
    if (waits) holdOpen(stream, 'unref')
  }

  /** Still there, and without a command. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** Undefined until the command has ended, and for ever when it was killed together with its shell. */
  get exitCode(): number | undefined {
    return readEnd(this.#said)
  }

  /** Whether the command can have done anything. */
  get hasBegun(): boolean {
    return !this.#awaited || hasBegun(this.#said)
  }

  get said(): string {
    return this.#said
  }

  give(command: string): void {
    this.#isWaiting = false
    holdOpen(this.stream, 'ref')
    this.stream.end(command)
  }
}

/** A process that only waits must not keep ours from ending. */
function holdOpen(stream: Duplex & { ref?(): void; unref?(): void }, how: 'ref' | 'unref'): void {
  stream[how]?.()
}
