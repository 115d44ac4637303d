import { readdirSync, rmSync } from 'node:fs'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import type { Applied, Conflict } from '../../ports/workspace.ts'
import type { Blobs } from '../../ports/undo.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import { restoreFile } from '../files/restore-file.ts'
import type { Base } from './base.ts'
import { type BytePath, fromText, isText, parentOf, toText } from './byte-path.ts'
import { isAlive } from './run-folder.ts'
import { keepVersions } from './keep-versions.ts'
import { lookBeneath, readBeneath, runs, sameBeneath } from './read-beneath.ts'
import { readRecord, writeRecord } from './record.ts'
import type { StoredChange } from './stored-change.ts'
import { inFolder } from './walk-tree.ts'

export interface ApplyParts {
  base: Base
  /** The frozen files. */
  snapshot: string
  changes: readonly StoredChange[]
  folder: string
  conflicts: string
  leave?: ReadonlyMap<string, string>
  /** Where it is noted what is going to happen. */
  journal: string
  blobs: Blobs
}

type Step = { change: StoredChange; reason?: Conflict['reason']; message?: string }

/**
 * First decides about every file and notes it, then does it: when the process dies in between, the next one finds the
 * note and does the rest. A file is written only while it still is what it was when the run began.
 */
export async function applyChanges(parts: ApplyParts): Promise<Applied> {
  const noted = await readRecord<Step[]>(parts.journal)
  const steps = noted ?? (await decide(parts))
  if (noted) removeTemporary(parts.folder, steps)
  else await writeRecord(parts.journal, steps)
  const applied: Applied = { written: [], conflicts: [] }
  // What goes makes room for what comes: a file may have become a folder.
  const inOrder = [...steps].sort((a, b) => rank(a) - rank(b))
  for (const step of inOrder) {
    const done = step.reason === undefined ? await write(parts, step.change) : conflictOf(step)
    if ('reason' in done) applied.conflicts.push(await withVersions(parts, step.change, done))
    else applied.written.push(done)
  }
  return { written: sorted(applied.written), conflicts: sorted(applied.conflicts) }
}

/** What a process that was killed had begun to write beside the file it was for. */
function removeTemporary(folder: string, steps: readonly Step[]): void {
  for (const parent of new Set(steps.map(({ change }) => parentOf(change.path)))) {
    inFolder(fromText(folder), parent, (at) => {
      for (const name of readdirSync(at)) {
        const [, pid] = /^\.conclave-(\d+)-[a-z0-9]+\.tmp$/u.exec(name) ?? []
        if (pid !== undefined && !isAlive(Number(pid))) rmSync(`${at}/${name}`, { force: true })
      }
    })
  }
}

const rank = ({ change }: Step): number => (change.kind === null ? 0 : 1)

const sorted = <T extends { path: string }>(items: T[]): T[] =>
  items.sort((a, b) => (a.path < b.path ? -1 : 1))

/** Files that already are as the answer has them need nothing. */
async function decide({ base, snapshot, changes, folder, leave }: ApplyParts): Promise<Step[]> {
  const steps: Step[] = []
  for (const change of changes) {
    const { path } = change
    const left = isText(path) ? leave?.get(toText(path)) : undefined
    const forbidden =
      left === undefined ? whyNever(base, change) : { reason: 'protected' as const, message: left }
    if (forbidden) steps.push({ change, ...forbidden })
    else if (await isSame(folder, snapshot, path)) continue
    else if (await isSame(folder, base.tree, path)) steps.push({ change })
    else steps.push({ change, reason: 'changed' })
  }
  return steps
}

/** A folder holds no file of that name. */
async function isSame(one: string, other: string, path: BytePath): Promise<boolean> {
  const [a, b] = [one, other].map((root) => {
    const found = lookBeneath(fromText(root), path)
    return found?.kind === 'folder' ? undefined : found
  })
  return a && b ? sameBeneath(fromText(one), fromText(other), path) : a === b
}

function whyNever(base: Base, { path, kind }: StoredChange): Pick<Step, 'reason' | 'message'> | undefined {
  if (!isText(path)) return { reason: 'refused', message: 'its name is not valid UTF-8; copy it yourself' }
  const what = protectedPath(toText(path))
  if (what) return { reason: 'protected', message: `${what} are left to you to change` }
  if (kind === 'link' || base.entries.get(path)?.kind === 'link') {
    return { reason: 'link', message: 'symbolic links are left to you to make, change and remove' }
  }
  return undefined
}

function conflictOf({ change, reason = 'changed', message }: Step): Conflict {
  return {
    path: toText(change.path),
    change: change.change,
    reason,
    message: message ?? CHANGED[change.change],
  }
}

const CHANGED: Record<StoredChange['change'], string> = {
  new: 'there is another file of that name now; choose one, or put them together',
  modified: 'you changed or deleted it after the run began; choose one version, or put them together',
  deleted: 'the answer deletes it, but you changed it after the run began; delete it if you agree',
}

async function write(parts: ApplyParts, change: StoredChange): Promise<WrittenFile | Conflict> {
  const { base, snapshot, folder, blobs } = parts
  const path = toText(change.path)
  const before = await readOld(base, change.path)
  const bytes = change.kind === null ? null : await readBeneath(fromText(snapshot), change.path)
  if (bytes === undefined) {
    return conflictOf({
      change,
      reason: 'refused',
      message: 'it is gone from the snapshot; run the task again',
    })
  }
  const mode = modeFor(parts, change.path)
  // After a crash it may be done already.
  if (!(await isSame(folder, snapshot, change.path))) {
    const expect = before ? await blobs.hash(before) : null
    const restored = await restoreFile(folder, blobs, {
      path,
      bytes,
      expect,
      ...(mode !== undefined && { mode }),
    })
    if ('refused' in restored) return conflictOf({ change, reason: 'refused', message: restored.refused })
    if (restored.done === 'changed_since') return conflictOf({ change, reason: 'changed' })
  }
  // The old bytes are those of the base: nothing else is ever replaced.
  const kept = before ? await blobs.keep(before) : null
  return {
    path,
    change: change.change,
    ...(kept !== undefined && { before: kept }),
    ...(before && mode !== undefined && { before_mode: base.entries.get(change.path)?.mode }),
    after: bytes ? await blobs.hash(bytes) : null,
  }
}

const readOld = async (base: Base, path: BytePath): Promise<Buffer | undefined> =>
  base.entries.get(path)?.kind === 'file' ? readBeneath(fromText(base.tree), path) : undefined

/** Only whether a file can be run is taken over; without a change in that it keeps the rights it has. */
function modeFor({ base, snapshot }: ApplyParts, path: BytePath): number | undefined {
  const found = lookBeneath(fromText(snapshot), path)
  if (found?.kind !== 'file') return undefined
  const before = base.entries.get(path)
  if (before?.kind === 'file' && runs(before.mode) === runs(found.mode)) return undefined
  return before?.kind === 'file' || runs(found.mode) ? found.mode : undefined
}

async function withVersions(parts: ApplyParts, change: StoredChange, conflict: Conflict): Promise<Conflict> {
  if (conflict.reason !== 'changed' && conflict.reason !== 'refused') return conflict
  if (!isText(change.path)) return conflict
  const kept = await keepVersions(parts, change)
  return Object.keys(kept).length === 0 ? conflict : { ...conflict, kept }
}
