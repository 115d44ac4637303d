import type { BigIntStats } from 'node:fs'
import { lstat, rmdir, unlink } from 'node:fs/promises'
import type { Refused } from '../../ports/files.ts'
import type { Blobs } from '../../ports/undo.ts'
import type { Folder } from './folder.ts'
import { rootOpener } from './gateway.ts'
import { openGrants } from './grants.ts'
import { requireFile, withFile } from './leaf.ts'
import { errnoOf, refusing } from './refusal.ts'
import { replaceFile } from './replace-file.ts'
import { MissingFolder, inFolder } from './walk.ts'

export interface Restore {
  path: string
  /** Null to delete it. */
  bytes: Uint8Array | null
  mode?: number
  /** The SHA-256 it must have now, null for no file; absent to take whatever is there. */
  expect?: string | null
}

export type Restored = { done: 'restored' | 'deleted' | 'already' | 'changed_since'; kept?: string } | Refused

/**
 * Puts old bytes back, or deletes a file, on behalf of a person: also protected files, but through the same walk without
 * links as everything else. What is there is kept before it goes.
 */
export async function restoreFile(root: string, blobs: Blobs, restore: Restore): Promise<Restored> {
  return refusing(restore.path, async () => {
    const { base, names } = openGrants({ root }).find(restore.path)
    const create_from = restore.bytes === null ? Infinity : 0
    return inFolder(rootOpener(), base, names.slice(0, -1), { create_from }, (folder) =>
      restoreIn(folder, names, blobs, restore),
    ).catch((error: unknown): Restored => {
      if (restore.bytes === null && error instanceof MissingFolder) return { done: 'already' }
      throw error
    })
  })
}

/** An empty folder that took the place of a file is not missed. */
async function restoreIn(
  folder: Folder,
  names: readonly string[],
  blobs: Blobs,
  { bytes, mode, expect }: Restore,
): Promise<Restored> {
  if (bytes) await rmdir(folder.at(names.at(-1) ?? '')).catch(() => {})
  const now = await readNow(folder, names)
  const hash = now ? await blobs.hash(now.bytes) : null
  const wanted = bytes ? await blobs.hash(bytes) : null
  const rights = now && mode !== undefined ? alikeRights(Number(now.info.mode), mode) : undefined
  if (hash === wanted && (rights === undefined || hash !== expect)) return { done: 'already' }
  if (expect !== undefined && hash !== expect) return { done: 'changed_since' }
  const kept = now && (await blobs.keep(now.bytes))
  if (bytes === null) {
    await unlink(folder.at(names.at(-1) ?? ''))
    return { done: 'deleted', kept }
  }
  await replaceFile(folder, names.at(-1) ?? '', Buffer.from(bytes), now?.info, now ? rights : mode)
  return { done: 'restored', kept }
}

async function readNow(
  folder: Folder,
  names: readonly string[],
): Promise<{ bytes: Buffer; info: BigIntStats } | undefined> {
  try {
    requireFile(await lstat(folder.at(names.at(-1) ?? '')), names)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  return withFile(folder, names, 'read', async (handle, info) => ({ bytes: await handle.readFile(), info }))
}

/** Only whether it can be run is put back; who else may read it stays as it is. Nothing when that is so already. */
function alikeRights(now: number, before: number): number | undefined {
  const ran = (before & 0o111) !== 0
  if (ran === ((now & 0o111) !== 0)) return undefined
  return (ran ? now | ((now & 0o444) >> 2) : now & ~0o111) & 0o777
}
