import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Base } from './base.ts'
import { type BytePath, fromText, nameOf, parentOf, toBytes, toText, under } from './byte-path.ts'
import { byName, listIgnored } from './ignored-paths.ts'
import { isNeverCopied } from './list-folder.ts'
import { sameBeneath } from './read-beneath.ts'
import type { StoredChange } from './stored-change.ts'
import { type TreeEntry, walkTree } from './walk-tree.ts'

export interface FoundChanges {
  changes: StoredChange[]
  /** Folders with nothing in them that the base does not have. */
  empty_folders: BytePath[]
  /** Folders of the base that are none any more. */
  gone_folders: BytePath[]
  /** Folders whose contents could not be seen: nothing in them counts as changed. */
  unreadable: BytePath[]
  /** Git's own files that the agent made, which are never taken. */
  left_out: string[]
}

/**
 * What an agent changed in its workspace. Files whose stamp is that of the beginning are not read; others count only when
 * their bytes, or whether they can be run, differ. New files that Git ignores do not count; files of the base always do.
 */
export async function findChanges(
  base: Base,
  workspace: string,
  stamps: ReadonlyMap<BytePath, string>,
  most: number,
): Promise<FoundChanges> {
  const ignored = await listIgnored({ own: base.git, folder: workspace, as: 'plain' })
  const linked = new Set(base.dependencies)
  const left_out = hooksOf(workspace)
  const skip = (path: BytePath, kind: TreeEntry['kind']): boolean => {
    if (nameOf(path) === '.git' && path !== '.git') left_out.push(toText(path))
    if (isNeverCopied(path) || (linked.has(path) && kind === 'link')) return true
    if (base.entries.has(path)) return false
    return ignored ? ignored.paths.has(path) : kind === 'folder' && byName(path)
  }
  const unreadable: BytePath[] = []
  const tree = await walkTree(fromText(workspace), {
    skip,
    most: most + base.entries.size,
    unreadable: (path) => unreadable.push(path),
  })
  const isUnknown = (path: BytePath): boolean =>
    unreadable.some((at) => path.startsWith(`${at}/`) || at === '')
  const changes: StoredChange[] = []
  const filled = new Set<BytePath>()
  for (const [path, { kind, size, stamp, inode }] of tree) {
    filled.add(parentOf(path))
    if (kind === 'folder' || stamps.get(path) === stamp || isShared(base, path, inode)) continue
    const before = base.entries.get(path)
    if (!before || before.kind === 'folder') changes.push({ path, change: 'new', kind, size })
    else if (!(await sameBeneath(fromText(workspace), fromText(base.tree), path))) {
      changes.push({ path, change: 'modified', kind, size })
    }
  }
  const gone_folders: BytePath[] = []
  for (const [path, { kind }] of base.entries) {
    if (isUnknown(path)) continue
    const now = tree.get(path)
    if (kind === 'folder') {
      if (now?.kind !== 'folder') gone_folders.push(path)
    } else if (!now || now.kind === 'folder') changes.push({ path, change: 'deleted', kind: null, size: 0 })
  }
  const empty_folders = [...tree].flatMap(([path, { kind }]) =>
    kind === 'folder' && !filled.has(path) && !base.entries.has(path) ? [path] : [],
  )
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { changes, empty_folders, gone_folders, unreadable, left_out }
}

/** A shared file gets another stamp with every workspace that shares it; that its bytes are right is seen elsewhere. */
function isShared(base: Base, path: BytePath, inode: bigint): boolean {
  if (!base.shared.has(path)) return false
  const shared = toBytes(under(fromText(base.shared_tree), path))
  return lstatSync(shared, { bigint: true, throwIfNoEntry: false })?.ino === inode
}

/** The repository of a workspace begins without any. */
function hooksOf(workspace: string): string[] {
  try {
    return readdirSync(join(workspace, '.git', 'hooks')).map((name) => `.git/hooks/${name}`)
  } catch {
    return []
  }
}
