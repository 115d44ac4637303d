import type { ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Shell, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { cappedOutput } from './capped-output.ts'
import { childEnvironment } from './child-environment.ts'
import { endProcesses } from './process-group.ts'

export interface LocalShellOptions {
  /** Bytes of output to keep. */
  keep?: { head: number; tail: number }
}

const KEEP = { head: 16 * 1024, tail: 32 * 1024 }
/** Shown while it runs; a command that prints for ever must not flood whoever watches. */
const LIVE_BYTES = 1024 * 1024
/** How long a background process may keep the output open after the command itself has ended. */
const DRAIN_MS = 100
/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Joins stderr to stdout, so that their lines stay in order, and becomes bash, or sh where there is none. The command
 * itself is an argument: what was approved is byte for byte what runs.
 */
const START = 'exec 2>&1; if command -v bash >/dev/null; then exec bash -c "$1"; fi; exec sh -c "$1"'

let commands = 0

/** Runs commands on this machine with the user's rights: a process group of its own, no input, no keys. */
export function localShell(options: LocalShellOptions = {}): Shell {
  const refusal = 'this command needs a sandbox, and there is none here'
  return {
    confines: false,
    run: async (request) =>
      request.access === 'read'
        ? { exit_code: null, output: refusal, ended_by: 'start_failed' }
        : runCommand(request, options.keep ?? KEEP),
  }
}

async function runCommand(request: ShellRequest, keep: { head: number; tail: number }): Promise<ShellResult> {
  if (request.signal.aborted) return { exit_code: null, output: '', ended_by: 'cancel' }
  commands += 1
  const mark = `CONCLAVE_COMMAND=${process.pid}-${commands}`
  const started = await start(request, mark)
  if ('failed' in started) return { exit_code: null, output: started.failed, ended_by: 'start_failed' }

  const { child, pid } = started
  const output = cappedOutput(keep)
  const closed = collect(child, output.add, request.onOutput)
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? { code: null, by: 'signal' } : { code }))
  })
  const cut = cutOff(request)
  const { code, by } = await Promise.race([ended, cut.happened])
  cut.forget()
  if (by !== 'timeout' && by !== 'cancel') await atMost(DRAIN_MS, closed)
  await endProcesses(pid, mark)
  await atMost(DRAIN_MS, closed)
  child.stdout?.destroy()
  return { exit_code: code, output: output.text(), ...(by && { ended_by: by }) }
}

interface Ended {
  code: number | null
  by?: 'timeout' | 'cancel' | 'signal'
}

const atMost = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })])

async function start(
  request: ShellRequest,
  mark: string,
): Promise<{ child: ChildProcess; pid: number } | { failed: string }> {
  const { spawn } = await import('node:child_process')
  const [name = '', value] = mark.split('=')
  try {
    const child = spawn('sh', ['-c', START, 'sh', request.command], {
      cwd: request.cwd,
      env: { ...childEnvironment(process.env), [name]: value },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const { pid } = child
    if (pid !== undefined) {
      child.on('error', () => {})
      return { child, pid }
    }
    const error = await new Promise<unknown>((resolve) => child.once('error', resolve))
    return { failed: startFailure(error, request.cwd) }
  } catch (error) {
    return { failed: startFailure(error, request.cwd) }
  }
}

function startFailure(error: unknown, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return `the command was not started: the folder ${JSON.stringify(cwd)} or the program sh does not exist`
    case 'E2BIG':
      return 'the command was not started: it is too long; put it into a file and run that'
    case 'ERR_INVALID_ARG_VALUE':
      return 'the command was not started: it contains a NUL character'
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the command was not started: the system has no room for another process; try again later'
  }
  return `the command was not started: ${error instanceof Error ? error.message : String(error)}`
}

/** Resolves when nobody has the output open any more. */
function collect(
  child: ChildProcess,
  add: (chunk: Buffer) => void,
  onOutput: ((text: string) => void) | undefined,
): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let live = 0
  const show = (text: string): void => {
    if (text !== '') onOutput?.(text)
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    add(chunk)
    if (live > LIVE_BYTES) return
    live += chunk.length
    show(decoder.write(chunk))
    if (live > LIVE_BYTES) show('\n… [there is more; it is no longer shown here]\n')
  })
  child.stdout?.once('end', () => show(decoder.end()))
  child.stdout?.on('error', () => {})
  return new Promise((resolve) => {
    child.stdout?.once('close', resolve)
  })
}

/** The two reasons to end a command early. */
function cutOff(request: ShellRequest): { happened: Promise<Ended>; forget(): void } {
  const { promise: happened, resolve } = Promise.withResolvers<Ended>()
  const cancel = (): void => resolve({ code: null, by: 'cancel' })
  const timer = setTimeout(
    () => resolve({ code: null, by: 'timeout' }),
    Math.min(request.timeout_ms, LONGEST_TIMER_MS),
  )
  request.signal.addEventListener('abort', cancel, { once: true })
  if (request.signal.aborted) cancel()
  return {
    happened,
    forget() {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', cancel)
    },
  }
}
