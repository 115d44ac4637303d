import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { RunId } from '../../schema/ids.ts'
import { readRecord, writeRecord } from './record.ts'

/** Where the parts of a run are. */
export interface RunFolder {
  path: string
  /** The folder as it was when the run began, and what is known about it. */
  base: string
  agent(id: string): string
  snapshot(label: string): string
  apply(label: string): string
  owner: string
  kept: string
}

export function runFolder(root: string, run_id: RunId): RunFolder | undefined {
  if (!/^run_[\w-]{1,100}$/u.test(run_id)) return undefined
  const path = join(root, run_id)
  return {
    path,
    base: join(path, 'base'),
    agent: (id) => join(path, 'agents', safeName(id)),
    snapshot: (label) => join(path, 'snapshots', safeName(label)),
    apply: (label) => join(path, `apply-${safeName(label)}.json`),
    owner: join(path, 'owner.json'),
    kept: join(path, 'kept.json'),
  }
}

/** A name of a file for any text; texts that make good names keep them. */
export const safeName = (text: string): string =>
  /^[\w-][\w.-]{0,60}$/u.test(text) && !/[.](tmp|(new|old)-\w+)$/u.test(text)
    ? text
    : `x${createHash('sha256').update(text).digest('hex').slice(0, 24)}`

/** The copied folder keeps its name: many projects are called after theirs. */
export const treeName = (folder: string): string => {
  const name = basename(folder)
  return name === '' || name.endsWith('.json') ? 'work' : name
}

interface Owner {
  pid: number
  space: string
}

/** Says that this process works with the run, for `isOwned`. */
export async function takeRun(run: RunFolder): Promise<void> {
  await mkdir(run.path, { recursive: true, mode: 0o700 })
  const owner = await readRecord<Owner>(run.owner)
  const mine: Owner = { pid: process.pid, space: processSpace() }
  if (owner?.pid !== mine.pid || owner.space !== mine.space) await writeRecord(run.owner, mine)
}

/** Whether the process that works with the run may still be there. In another container nobody can tell. */
export async function isOwned(run: RunFolder): Promise<boolean> {
  const owner = await readRecord<Owner>(run.owner)
  if (!owner) return false
  return owner.space !== processSpace() || isAlive(owner.pid)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Process numbers mean the same only within one of these. */
function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
