import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process, so described that another one with its number is not taken for it. */
export interface Owner {
  host: string
  /** Changes with every start of the machine; empty where it cannot be known. */
  boot: string
  /** Numbers of processes mean the same only within one of these. */
  space: string
  pid: number
  /** When the process started, in the kernel's clock; empty where it cannot be known. */
  started: string
}

export function thisProcess(): Owner {
  return {
    host: hostname(),
    boot: read('/proc/sys/kernel/random/boot_id').trim(),
    space: processSpace(),
    pid: process.pid,
    started: startOf(process.pid),
  }
}

/** Only what is certain: a process we cannot see from here counts as alive. */
export function isGone(owner: Owner, here = thisProcess()): boolean {
  if (owner.boot !== here.boot) return owner.host === here.host
  if (owner.space !== here.space) return false
  return !isAlive(owner.pid) || startOf(owner.pid) !== owner.started
}

export function parseOwner(text: string | undefined): Owner | undefined {
  try {
    const value = JSON.parse(text ?? '') as Partial<Owner>
    const { host, boot, space, pid, started } = value
    const known = [host, boot, space, started].every((field) => typeof field === 'string')
    return known && Number.isInteger(pid) ? (value as Owner) : undefined
  } catch {
    return undefined
  }
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** The 22nd field; the second is a name that may contain anything. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
