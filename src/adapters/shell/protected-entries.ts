import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { protectedPath } from '../../core/policy/protected-paths.ts'

export interface ProtectedEntry {
  path: string
  kind: 'file' | 'folder' | 'link'
  /** Its place: the folder it is in, however that is called now, and its name. */
  slot: string
  /** It is a repository's `.git`. */
  git: boolean
  /** What it is, in words. */
  what: string
}

/** Folders looked into; beyond that only what is nearest to the top is found. */
const MOST_FOLDERS = 1_000
const NOT_ENTERED = new Set(['node_modules'])

/**
 * Finds the protected names in a folder, at any depth, nearest first. Reads a folder again only when it has changed, so
 * that looking a second time costs one `stat` for each.
 */
export class ProtectedEntries {
  readonly #folder: string
  #known = new Map<string, Listing>()

  constructor(folder: string) {
    this.#folder = folder
  }

  find(): ProtectedEntry[] {
    const known = new Map<string, Listing>()
    const found: ProtectedEntry[] = []
    const waiting = [this.#folder]
    for (let at = 0; at < waiting.length && at < MOST_FOLDERS; at += 1) {
      const folder = waiting[at] ?? ''
      const listing = look(folder, this.#known.get(folder))
      known.set(folder, listing)
      for (const name of listing.entries) found.push(...describe(folder, name))
      waiting.push(...listing.folders)
    }
    this.#known = known
    return found
  }
}

interface Listing {
  stamp: string
  entries: string[]
  folders: string[]
}

function look(folder: string, before: Listing | undefined): Listing {
  const stat = lstatSync(folder, { throwIfNoEntry: false, bigint: true })
  const stamp = stat ? `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}` : ''
  if (before && stamp !== '' && before.stamp === stamp) return before
  const listing: Listing = { stamp, entries: [], folders: [] }
  for (const entry of readFolder(folder)) {
    if (whatItIs(folder, entry.name) !== undefined) listing.entries.push(entry.name)
    else if (entry.isDirectory() && !NOT_ENTERED.has(entry.name))
      listing.folders.push(join(folder, entry.name))
  }
  return listing
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function describe(folder: string, name: string): ProtectedEntry[] {
  const path = join(folder, name)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  const kind = stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'file'
  const what = whatItIs(folder, name) ?? ''
  return [{ path, kind, slot: slotOf(folder, name), git: name === '.git', what }]
}

const whatItIs = (folder: string, name: string): string | undefined =>
  protectedPath(`${basename(folder)}/${name}`)

/** Nothing for a folder that is gone. */
export function slotOf(folder: string, name: string): string {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}/${name}` : ''
}
