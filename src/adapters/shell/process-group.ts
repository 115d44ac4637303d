import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isReady } from './ready-process.ts'

const TERM_GRACE_MS = 300
const KILL_GRACE_MS = 200
const POLL_MS = 10

/**
 * Ends every process of a command: asks, then kills. Returns when they are gone or cannot be waited for any longer.
 * A process that left the group with `setsid` is found by the mark in its environment, where `/proc` exists.
 */
export async function endProcesses(group: number, mark: string): Promise<void> {
  if (signalGroup(group, 'SIGTERM') && !(await gone(group, TERM_GRACE_MS))) {
    signalGroup(group, 'SIGKILL')
    await gone(group, KILL_GRACE_MS)
  }
  killMarked(group, mark)
}

async function gone(group: number, within_ms: number): Promise<boolean> {
  for (let waited = 0; waited < within_ms; waited += POLL_MS) {
    if (!isAlive(group)) return true
    await sleep(POLL_MS)
  }
  return !isAlive(group)
}

/** A dead process nobody has collected yet, as in a container without an init, can be signalled but is not alive. */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  const all = processes()
  if (all.length === 0) return true
  return all.some((pid) => {
    // pid (name) state parent group …, and the name may contain anything.
    const stat = readProc(pid, 'stat')
    const [state = '', , leader] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(leader) === group && !'ZX'.includes(state)
  })
}

/** False when there is nobody left to signal. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, signal)
    return true
  } catch {
    return false
  }
}

/** Repeats while it finds some: one that was just killed may have started another. */
function killMarked(group: number, mark: string): void {
  for (let round = 0; round < 5; round += 1) {
    const found = markedProcesses(group, mark)
    if (found.length === 0) return
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself.
      }
    }
  }
}

/** Only processes younger than the shell are looked at, which keeps this well below a millisecond. */
const markedProcesses = (group: number, mark: string): number[] =>
  process.platform === 'linux'
    ? processes().filter(
        (pid) => pid > group && !isReady(pid) && readProc(pid, 'environ').includes(`${mark}\0`),
      )
    : []

/** None when there is no `/proc`. */
function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function readProc(pid: number, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
