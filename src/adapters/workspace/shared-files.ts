import { chmod, link, lstat, rename, rm } from 'node:fs/promises'
import type { Base } from './base.ts'
import { type BytePath, fromText, toBytes, toText, under } from './byte-path.ts'
import { placeFiles } from './place-files.ts'
import { hashBeneath } from './read-beneath.ts'
import type { Tree } from './walk-tree.ts'

/** A smaller file takes about as much room as a name for it. */
const SMALLEST = 4_096

/** The largest files, so many that the others fit into the bytes a workspace may copy. None when all fit. */
export function chooseShared(tree: Tree, copied_bytes: number): Set<BytePath> {
  const files = [...tree].filter(([, { kind }]) => kind === 'file').sort(([, a], [, b]) => b.size - a.size)
  let rest = files.reduce((sum, [, { size }]) => sum + size, 0)
  const shared = new Set<BytePath>()
  for (const [path, { size }] of files) {
    if (rest <= copied_bytes || size < SMALLEST) break
    shared.add(path)
    rest -= size
  }
  return shared
}

/** Whoever has no right to write in a file cannot change it for the others by accident. */
export const sharedMode = (mode: number): number => mode & 0o555

/** What the shared file was like when it was last found to hold the right bytes. */
export type Verified = Map<BytePath, string>

/**
 * Finds shared files that somebody changed in place in spite of their rights, and puts them back for all: otherwise an
 * agent could change what its peers see. Whoever wants a change replaces the file. Returns the paths.
 */
export async function mendShared(
  base: Base,
  workspaces: readonly string[],
  verified: Verified,
): Promise<string[]> {
  const mended: string[] = []
  for (const [path, hash] of base.shared) {
    const at = under(fromText(base.shared_tree), path)
    const info = await lstat(toBytes(at), { bigint: true })
    const state = `${info.ino}-${info.ctimeNs}`
    if (verified.get(path) === state) continue
    const rights = sharedMode(base.entries.get(path)?.mode ?? 0)
    const sound =
      (Number(info.mode) & 0o777) === rights && (await hashBeneath(fromText(base.shared_tree), path)) === hash
    if (!sound) {
      await replace(base, path, info.ino, workspaces)
      mended.push(toText(path))
    }
    verified.set(path, sound ? state : '')
  }
  return mended
}

async function replace(
  base: Base,
  path: BytePath,
  changed: bigint,
  workspaces: readonly string[],
): Promise<void> {
  const at = toBytes(under(fromText(base.shared_tree), path))
  await rm(at)
  await placeFiles(fromText(base.tree), fromText(base.shared_tree), [path], 'copy')
  await chmod(at, sharedMode(base.entries.get(path)?.mode ?? 0))
  for (const workspace of workspaces) {
    const copy = under(fromText(workspace), path)
    const info = await lstat(toBytes(copy), { bigint: true }).catch(() => undefined)
    if (info?.ino !== changed) continue
    const temporary = `${copy}.conclave-${Math.random().toString(36).slice(2)}.tmp`
    await link(at, toBytes(temporary))
    await rename(toBytes(temporary), toBytes(copy))
  }
}
