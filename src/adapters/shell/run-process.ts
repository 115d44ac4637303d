import type { ChildProcess, SpawnOptions } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShellRequest, ShellResult } from '../../ports/shell.ts'
import { cappedOutput } from './capped-output.ts'
import { guardOrphans } from './orphan-guard.ts'

/** How a command is started and ended; what happens in between is the same for every shell. */
export interface Launch {
  program: string
  args: string[]
  cwd: string
  environment: Record<string, string>
  /** Already started, and waiting for this on its stdin. */
  ready?: { child: ChildProcess; input: string }
  /** Open files the program gets from number 3 on. */
  descriptors?: number[]
  /** What the program itself says on stderr means that the command was not started. */
  complains?: boolean
  /** Ends every process of it; called once, when it has ended or has to end. */
  end(pid: number, ended: Promise<unknown>): Promise<void>
}

export interface Keep {
  head: number
  tail: number
}

export const KEEP: Keep = { head: 16 * 1024, tail: 32 * 1024 }
/** Shown while it runs; a command that prints for ever must not flood whoever watches. */
const LIVE_BYTES = 1024 * 1024
/** How long a background process may keep the output open after the command itself has ended. */
export const DRAIN_MS = 100
/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** Of what the program says about its own failure. */
const COMPLAINT_CHARACTERS = 2_000

/** Runs a command to its end, its timeout or its cancellation. */
export async function runProcess(request: ShellRequest, launch: Launch, keep = KEEP): Promise<ShellResult> {
  if (request.signal.aborted) return { exit_code: null, output: '', ended_by: 'cancel' }
  const started = launch.ready ? adopt(launch.ready) : await start(launch)
  if ('failed' in started) return notStarted(started.failed)

  const { child, pid } = started
  const release = guardOrphans(pid)
  const output = cappedOutput(keep)
  const complaint = collectComplaint(child)
  const closed = collect(child.stdout, output.add, request)
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? { code: null, by: 'signal' } : { code }))
  })
  const cut = cutOff(request)
  const { code, by } = await Promise.race([ended, cut.happened])
  cut.forget()
  if (by !== 'timeout' && by !== 'cancel') await atMost(DRAIN_MS, closed)
  await launch.end(pid, ended)
  await atMost(DRAIN_MS, closed)
  release()
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (launch.complains && by === undefined && code !== 0 && complaint() !== '') return notStarted(complaint())
  return { exit_code: code, output: output.text(), ...(by && { ended_by: by }) }
}

export const notStarted = (why: string): ShellResult => ({
  exit_code: null,
  output: `the command was not started: ${why}`,
  ended_by: 'start_failed',
})

export interface Ended {
  code: number | null
  by?: 'timeout' | 'cancel' | 'signal'
}

export const atMost = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })])

function adopt({ child, input }: NonNullable<Launch['ready']>): { child: ChildProcess; pid: number } {
  child.stdin?.end(input)
  return { child, pid: child.pid ?? 0 }
}

async function start(launch: Launch): Promise<{ child: ChildProcess; pid: number } | { failed: string }> {
  const { spawn } = await import('node:child_process')
  try {
    const child = spawn(launch.program, launch.args, spawnOptions(launch, 'ignore'))
    const { pid } = child
    if (pid !== undefined) {
      child.on('error', () => {})
      return { child, pid }
    }
    const error = await new Promise<unknown>((resolve) => child.once('error', resolve))
    return { failed: startFailure(error, launch) }
  } catch (error) {
    return { failed: startFailure(error, launch) }
  }
}

export function spawnOptions(launch: Launch, stdin: 'ignore' | 'pipe'): SpawnOptions {
  return {
    cwd: launch.cwd,
    env: launch.environment,
    stdio: [stdin, 'pipe', launch.complains ? 'pipe' : 'ignore', ...(launch.descriptors ?? [])],
    detached: process.platform !== 'win32',
    windowsHide: true,
  }
}

function startFailure(error: unknown, { cwd, program }: Launch): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return `the folder ${JSON.stringify(cwd)} or the program ${program} does not exist`
    case 'E2BIG':
      return 'it is too long; put it into a file and run that'
    case 'ERR_INVALID_ARG_VALUE':
      return 'it contains a NUL character'
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the system has no room for another process; try again later'
  }
  return error instanceof Error ? error.message : String(error)
}

/** Resolves when nobody has the output open any more. */
export function collect(
  stream: Readable | null,
  add: (chunk: Buffer) => void,
  request: ShellRequest,
): Promise<void> {
  const { onOutput, onBytes } = request
  const decoder = new StringDecoder('utf8')
  let live = 0
  const show = (text: string): void => {
    if (text !== '') onOutput?.(text)
  }
  stream?.on('data', (chunk: Buffer) => {
    add(chunk)
    onBytes?.(chunk)
    if (live > LIVE_BYTES) return
    live += chunk.length
    show(decoder.write(chunk))
    if (live > LIVE_BYTES) show('\n… [there is more; it is no longer shown here]\n')
  })
  stream?.once('end', () => show(decoder.end()))
  stream?.on('error', () => {})
  return new Promise((resolve) => {
    stream?.once('close', resolve)
  })
}

function collectComplaint(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < COMPLAINT_CHARACTERS) text += more
  })
  child.stderr?.on('error', () => {})
  return () => text.trim().slice(0, COMPLAINT_CHARACTERS)
}

/** The two reasons to end a command early. */
export function cutOff(request: ShellRequest): { happened: Promise<Ended>; forget(): void } {
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
