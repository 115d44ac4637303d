import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'

/** Nobody who is still at work waits this long for the next command. */
const LONGEST_WAIT_MS = 30_000

/** It is read byte by byte; a longer one is quicker in a process of its own. */
const LONGEST_COMMAND = 8_000

/**
 * What bash does that was started ahead: wait for its command, and become it. The command ends with a NUL, which no
 * command can hold, so that it is byte for byte what runs. With a socket for stdin bash takes itself for a remote shell
 * and reads the user's start-up file, unless told not to.
 */
export const waitForCommand = (before: string): [program: string, ...args: string[]] => [
  'bash',
  ...['--norc', '-c'],
  `${before}IFS= read -r -d "" command && exec bash -c "$command" </dev/null`,
]

export const canBeRead = (command: string): boolean =>
  command.length <= LONGEST_COMMAND && !command.includes('\0')

/** A folder that was replaced by another of its name is another folder. */
export function identify(folder: string): string {
  const { dev, ino } = statSync(folder)
  return `${folder}:${dev}:${ino}`
}

/** A process that waits for its command. `key` says everything it was built from: for any other it is not used. */
interface Ready {
  key: string
  child: ChildProcess
  timer: NodeJS.Timeout
}

let ready: Ready | undefined

/** The process that waits belongs to no command yet. */
export const isReady = (pid: number): boolean => ready?.child.pid === pid

/** Hands out the process that is ready, if it is the right one. What has changed since makes another key. */
export function takeReady(key: string): ChildProcess | undefined {
  const found = ready
  ready = undefined
  if (!found) return undefined
  clearTimeout(found.timer)
  const { child } = found
  if (found.key !== key || child.exitCode !== null || child.signalCode !== null || !child.stdin?.writable) {
    child.kill('SIGKILL')
    return undefined
  }
  hold(child, 'ref')
  return child
}

/** Starts the next one while the model thinks. It ends with us, and by itself when it is not needed. */
export function makeReady(key: string, start: () => ChildProcess): void {
  if (ready) return
  const child = start()
  if (child.pid === undefined) return
  const forget = (): void => {
    if (ready?.child === child) ready = undefined
  }
  child.on('error', forget).once('exit', forget)
  child.stdin?.on('error', forget)
  hold(child, 'unref')
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_WAIT_MS)
  timer.unref()
  ready = { key, child, timer }
}

/** While it only waits it must not keep the program alive. */
function hold(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]()
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    const pipe = stream as { ref?(): void; unref?(): void } | null
    pipe?.[how]?.()
  }
}
