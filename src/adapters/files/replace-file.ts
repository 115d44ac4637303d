import { constants } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { link, lstat, open, rename, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Folder } from './folder.ts'
import { errnoOf } from './refusal.ts'

/**
 * Puts a complete file under a name in one step: written beside it first, then renamed. Another hard link of the old
 * file keeps the old bytes. With `before` it takes that file's rights; without, the name must be free. `mode` has the
 * last word on the permission bits.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  bytes: Buffer,
  before: BigIntStats | undefined,
  mode?: number,
): Promise<void> {
  const temporary = folder.at(`.conclave-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(temporary, flags, before || mode !== undefined ? 0o600 : 0o666)
  let placed = false
  try {
    try {
      await handle.writeFile(bytes)
      if (before) await takeRights(handle, before)
      if (mode !== undefined) await handle.chmod(mode)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    if (before) {
      await rename(temporary, folder.at(name))
      placed = true
    } else {
      placed = await placeNew(temporary, folder.at(name))
    }
  } finally {
    if (!placed) await unlink(temporary).catch(() => {})
  }
}

/** True when the temporary name is gone. A rename would silently replace a file made meanwhile; a link does not. */
async function placeNew(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target)
    return false
  } catch (error) {
    if (!NO_HARD_LINKS.has(errnoOf(error) ?? '')) throw error
  }
  const taken = await lstat(target).then(
    () => true,
    () => false,
  )
  if (taken) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST', syscall: 'link' })
  await rename(temporary, target)
  return true
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Owner where we may, then the permission bits. Not setuid: who may run it as whom was decided for the old bytes. */
async function takeRights(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true })
  if (own.uid !== before.uid || own.gid !== before.gid) {
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {})
  }
  await handle.chmod(Number(before.mode) & 0o777)
}
