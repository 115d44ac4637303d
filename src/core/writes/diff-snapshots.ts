import type { FileChange } from '../../schema/observation.ts'

/**
 * Path to what tells one state of a file from another: times of change of its bytes and of its entry, size, inode and
 * mode in one text. No contents.
 */
export type FolderSnapshot = ReadonlyMap<string, string>

export interface Write {
  path: string
  change: FileChange
}

/** What is different, by path. A modification time put back does not hide a write: the other parts differ. */
export function diffSnapshots(before: FolderSnapshot, after: FolderSnapshot): Write[] {
  const writes: Write[] = []
  for (const [path, stamp] of after) {
    const known = before.get(path)
    if (known === undefined) writes.push({ path, change: 'new' })
    else if (known !== stamp) writes.push({ path, change: 'modified' })
  }
  for (const path of before.keys()) if (!after.has(path)) writes.push({ path, change: 'deleted' })
  return writes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
