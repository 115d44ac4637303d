import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refused } from '../../ports/files.ts'
import type { Snapshot } from '../../ports/workspace.ts'
import type { RunId } from '../../schema/ids.ts'
import type { Base } from './base.ts'
import { folders } from './base.ts'
import { type BytePath, fromText, toBytes, toText, under } from './byte-path.ts'
import { copyEntry, makeRoom } from './build-workspace.ts'
import type { FoundChanges } from './find-changes.ts'
import { placeFiles, placeFolders } from './place-files.ts'
import { readRecord, writeRecord } from './record.ts'
import { removeTree } from './remove-tree.ts'
import { treeName } from './run-folder.ts'
import type { StoredChange } from './stored-change.ts'
import { type DiffTrees, countLines, makeDiffTrees } from './text-diff.ts'

export interface StoredSnapshot {
  run_id: RunId
  agent_id: string
  label: string
  changes: StoredChange[]
  gone_folders: BytePath[]
  counted: Snapshot['changes']
  trees?: DiffTrees
  notes: string[]
}

const RECORD = 'snapshot.json'

export async function readSnapshot(
  place: string,
  folder: string,
): Promise<{ stored: StoredSnapshot; snapshot: Snapshot } | undefined> {
  const stored = await readRecord<StoredSnapshot>(join(place, RECORD))
  if (!stored) return undefined
  const { run_id, agent_id, label, counted, notes } = stored
  const path = join(place, treeName(folder))
  return { stored, snapshot: { run_id, agent_id, label, path, changes: counted, notes } }
}

export interface FreezeRequest {
  base: Base
  workspace: string
  found: FoundChanges
  place: string
  about: Pick<StoredSnapshot, 'run_id' | 'agent_id' | 'label'>
  notes: string[]
  most_bytes: number
}

/**
 * The base with the changes: unchanged files are further names of those of the base, changed ones are copied without
 * following a link. It is there as a whole or not at all.
 */
export async function freeze(request: FreezeRequest): Promise<Refused | undefined> {
  const { base, workspace, found, place, about, most_bytes } = request
  const bytes = found.changes.reduce((sum, { size }) => sum + size, 0)
  if (bytes > most_bytes) {
    return {
      refused: `no snapshot ${about.label}: ${bytes} bytes were changed, the most is ${most_bytes}; remove what is not part of the work`,
    }
  }
  const making = `${place}.new-${Math.random().toString(36).slice(2)}`
  const tree = join(making, treeName(base.folder))
  try {
    await mkdir(tree, { recursive: true, mode: 0o700 })
    const problem = await linkUnchanged(base, tree, found)
    if (problem !== undefined) return { refused: `no snapshot ${about.label}: ${problem}` }
    const changes: StoredChange[] = []
    const notes = [
      ...request.notes,
      ...found.left_out.map((path) => `left out: ${JSON.stringify(path)}`),
      ...found.unreadable.map((path) => `left as it was: ${JSON.stringify(toText(path))} cannot be read`),
    ]
    for (const change of found.changes) {
      if (change.kind === null || (await take(workspace, change.path, tree))) changes.push(change)
      else notes.push(`left out: ${JSON.stringify(toText(change.path))} could not be read`)
    }
    for (const path of found.empty_folders) {
      await mkdir(toBytes(under(fromText(tree), path)), { recursive: true })
    }
    const trees = await makeDiffTrees(base, tree, changes)
    const files = await countLines(base, changes, trees)
    const stored: StoredSnapshot = {
      ...about,
      changes,
      gone_folders: found.gone_folders,
      counted: { files, added: sum(files, 'added'), removed: sum(files, 'removed') },
      ...(trees && { trees }),
      notes,
    }
    await writeRecord(join(making, RECORD), stored)
    await rename(making, place)
    return undefined
  } finally {
    await removeTree(making)
  }
}

async function linkUnchanged(
  base: Base,
  tree: string,
  { changes, gone_folders }: FoundChanges,
): Promise<string | undefined> {
  const changed = new Set(changes.map(({ path }) => path))
  const gone = new Set(gone_folders)
  const same = [...base.entries].filter(([path, { kind }]) => kind !== 'folder' && !changed.has(path))
  await placeFolders(
    fromText(tree),
    folders(base.entries).filter(([path]) => !gone.has(path)),
  )
  return placeFiles(
    fromText(base.tree),
    fromText(tree),
    same.map(([path]) => path),
    'link',
  )
}

async function take(workspace: string, path: BytePath, tree: string): Promise<boolean> {
  await makeRoom(fromText(tree), path)
  return copyEntry(fromText(workspace), path, fromText(tree))
}

const sum = (files: Snapshot['changes']['files'], side: 'added' | 'removed'): number =>
  files.reduce((all, file) => all + (file[side] ?? 0), 0)
