import { constants } from 'node:fs'
import type { BigIntStats, Stats } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { FileInfo } from '../../ports/files.ts'
import type { Folder } from './folder.ts'
import { Refusal, quote } from './refusal.ts'
import { linkRefusal } from './walk.ts'

/**
 * Works with a regular file, opened without following a link and without waiting for a FIFO. It is looked at before
 * opening, because opening a device can have effects, and again afterwards, because only that look cannot be raced.
 */
export async function withFile<T>(
  folder: Folder,
  names: readonly string[],
  access: 'read' | 'write',
  work: (handle: FileHandle, info: BigIntStats) => Promise<T>,
): Promise<T> {
  const path = folder.at(names.at(-1) ?? '')
  requireFile(await lstat(path), names)
  const flags = access === 'read' ? constants.O_RDONLY : constants.O_WRONLY
  const handle = await open(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const info = await handle.stat({ bigint: true })
    requireFile(info, names)
    return await work(handle, info)
  } finally {
    await handle.close()
  }
}

export function requireFile(info: Stats | BigIntStats, names: readonly string[]): void {
  if (info.isFile()) return
  if (info.isSymbolicLink()) throw linkRefusal(names)
  const kind = info.isDirectory() ? 'a folder, not a file' : 'not a regular file'
  throw new Refusal(`${quote(names.join('/'))} is ${kind}`)
}

export function kindOf(info: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileInfo['kind'] {
  if (info.isFile()) return 'file'
  if (info.isDirectory()) return 'folder'
  return info.isSymbolicLink() ? 'link' : 'other'
}

/** Another file, a write, or a change of its size or rights gives another fingerprint, even when mtime is put back. */
export const fingerprintOf = (info: BigIntStats): string =>
  [info.dev, info.ino, info.size, info.mode, info.mtimeNs, info.ctimeNs].join('-')
