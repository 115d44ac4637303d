import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const TERM_GRACE_MS = 300
const KILL_GRACE_MS = 1_000

/**
 * Ends a sandbox: asks the processes in it, then kills it. When bubblewrap is gone the kernel kills everything inside,
 * daemons that left their session included.
 */
export async function endSandbox(pid: number, ended: Promise<unknown>): Promise<void> {
  if (await within(ended, 0)) return
  const inside = firstChild(pid)
  // The first process inside ignores the signal; the others of its session are the command.
  if (inside !== undefined && signal(-inside, 'SIGTERM') && (await within(ended, TERM_GRACE_MS))) return
  signal(-pid, 'SIGKILL')
  await within(ended, KILL_GRACE_MS)
}

const within = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), sleep(ms, false, { ref: false })])

function firstChild(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number)
    return children.find((child) => child > 0)
  } catch {
    return undefined
  }
}

function signal(target: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(target, name)
    return true
  } catch {
    return false
  }
}
