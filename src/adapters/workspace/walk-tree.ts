import {
  type BigIntStats,
  type Dirent,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
} from 'node:fs'
import { type BytePath, toBytes, under } from './byte-path.ts'

export interface TreeEntry {
  kind: 'file' | 'link' | 'folder'
  size: number
  mode: number
  inode: bigint
  /** Changes whenever the file does, even when its modification time is put back. */
  stamp: string
}

export type Tree = Map<BytePath, TreeEntry>

export interface WalkOptions {
  /** Neither listed nor entered. */
  skip?: (path: BytePath, kind: TreeEntry['kind']) => boolean
  /** Ends the walk with an error of this many entries. */
  most?: number
  /** A folder that is there but may not be read: what is in it is unknown, not gone. */
  unreadable?: (path: BytePath) => void
}

export class TooManyFiles extends Error {}

const SLICE_MS = 8

/**
 * Everything below a folder, by path from it: files, links as links, folders. Devices, sockets and pipes are left out.
 * Folders are entered by handle, so that one swapped for a link meanwhile leads nowhere. System calls are made at once
 * in short slices, several times as fast as waiting for each; in between others have their turn.
 */
export async function walkTree(root: BytePath, options: WalkOptions = {}): Promise<Tree> {
  const { skip = () => false, most = Infinity } = options
  const tree: Tree = new Map()
  const waiting: BytePath[] = ['']
  let until = performance.now() + SLICE_MS
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entered = inFolder(root, at, (folder) => {
      const entries = entriesOf(folder)
      for (const entry of entries ?? []) {
        const path = at === '' ? entry.name : `${at}/${entry.name}`
        if (skip(path, entry.kind)) continue
        const info = lstatSync(toBytes(`${folder}/${entry.name}`), { bigint: true, throwIfNoEntry: false })
        const kind = info && kindOf(info)
        if (!info || !kind) continue
        tree.set(path, {
          kind,
          size: Number(info.size),
          mode: Number(info.mode) & 0o7777,
          inode: info.ino,
          stamp: stampOf(info),
        })
        if (kind === 'folder') waiting.push(path)
      }
      return entries !== undefined
    })
    if (!entered) options.unreadable?.(at)
    if (tree.size > most) throw new TooManyFiles()
    if (performance.now() > until) {
      await new Promise((resolve) => setImmediate(resolve))
      until = performance.now() + SLICE_MS
    }
  }
  return tree
}

export const stampOf = (info: BigIntStats): string =>
  `${info.mtimeNs}-${info.ctimeNs}-${info.size}-${info.ino}-${info.mode}`

export function kindOf(info: Pick<BigIntStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>) {
  if (info.isFile()) return 'file'
  if (info.isDirectory()) return 'folder'
  return info.isSymbolicLink() ? 'link' : undefined
}

function entriesOf(folder: BytePath): { name: BytePath; kind: TreeEntry['kind'] }[] | undefined {
  let entries: Dirent<Buffer>[]
  try {
    entries = readdirSync(toBytes(folder), { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return undefined
  }
  return entries.flatMap((entry) => {
    const kind = kindOf(entry)
    return kind ? [{ name: entry.name.toString('latin1'), kind }] : []
  })
}

let handles: boolean | undefined

/** Works with a folder below a root without following a link on the way to it; does nothing when there is none. */
export function inFolder<T>(root: BytePath, path: BytePath, work: (folder: BytePath) => T): T | undefined {
  handles ??= process.platform === 'linux' && existsSync('/proc/self/fd')
  const names = path === '' ? [] : path.split('/')
  if (!handles) return throughChecks(root, names, work)
  let folder: number | undefined
  try {
    for (const name of ['', ...names]) {
      const next = enter(name === '' ? root : `/proc/self/fd/${folder}/${name}`)
      if (next === undefined) return undefined
      if (folder !== undefined) closeSync(folder)
      folder = next
    }
    return work(`/proc/self/fd/${folder}`)
  } finally {
    if (folder !== undefined) closeSync(folder)
  }
}

function enter(folder: BytePath): number | undefined {
  try {
    return openSync(toBytes(folder), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Weaker: a process that swaps a folder for a link between the check and the use can still win. */
function throughChecks<T>(root: BytePath, names: string[], work: (folder: BytePath) => T): T | undefined {
  let at = root
  for (const name of names) {
    at = under(at, name)
    if (!lstatSync(toBytes(at), { throwIfNoEntry: false })?.isDirectory()) return undefined
  }
  return work(at)
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))
