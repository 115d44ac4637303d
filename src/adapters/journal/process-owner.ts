import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who writes a stream. Stored as JSON; every journal that is opened has its own. */
export interface ProcessOwner {
  host: string
  pid: number
  /** Which boot and which pid namespace the pid belongs to, and when the process started. Linux only, else ''. */
  boot: string
  pids: string
  started: string
  /** Tells journals of the same process apart. */
  instance: string
  label?: string
}

/** An owner we cannot look at (another host or container) keeps a stream for this long after its last sign of life. */
const UNSEEN_LEASE_MS = 10 * 60_000

export function currentOwner(label?: string): ProcessOwner {
  return {
    host: hostname(),
    pid: process.pid,
    boot: readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pids: readOr('', () => readlinkSync('/proc/self/ns/pid')),
    started: processStat(process.pid)?.started ?? '',
    instance: Math.random().toString(36).slice(2),
    ...(label === undefined ? {} : { label }),
  }
}

/** Describes the owner when it may still be at work; nothing when its stream is free to take. */
export function livingOwner(stored: string, self: ProcessOwner, lastSign: string): string | undefined {
  const owner = parseOwner(stored)
  switch (owner ? stateOf(owner, self) : 'unseen') {
    case 'dead':
      return undefined
    case 'alive':
      return owner?.label ?? `process ${owner?.pid}`
    case 'unseen': {
      // `not >` so that an unreadable time counts as long ago.
      if (!(Date.parse(lastSign) > Date.now() - UNSEEN_LEASE_MS)) return undefined
      return owner ? `${owner.label ?? `process ${owner.pid}`} on ${owner.host}` : 'another process'
    }
  }
}

function stateOf(owner: ProcessOwner, self: ProcessOwner): 'alive' | 'dead' | 'unseen' {
  if (owner.host === self.host && owner.boot !== self.boot) return 'dead'
  const visible = owner.boot === self.boot && owner.pids === self.pids
  if (!visible || (self.boot === '' && owner.host !== self.host)) return 'unseen'
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead'
  }
  const stat = processStat(owner.pid)
  if (!stat) return 'alive'
  // A zombie was killed and waits to be reaped; another start time means that the pid was given out again.
  return stat.state === 'Z' || stat.state === 'X' || stat.started !== owner.started ? 'dead' : 'alive'
}

function processStat(pid: number): { state: string; started: string } | undefined {
  return readOr(undefined, () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 2 is the program's name, in parentheses, and may hold anything: count from its end. 3 is the state, 22 the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? '' }
  })
}

function parseOwner(stored: string): ProcessOwner | undefined {
  const value: unknown = readOr(undefined, () => JSON.parse(stored))
  const readable = typeof value === 'object' && value !== null && Number.isInteger(Reflect.get(value, 'pid'))
  return readable ? (value as ProcessOwner) : undefined
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
