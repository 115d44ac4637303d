import { constants } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import type { Folder } from './folder.ts'

/**
 * Linux: a folder is an open handle and its entries are reached through it, so that a parent swapped for a link in the
 * meantime has no effect. Checking a path first and opening it afterwards loses that race.
 */
export async function openHandleFolder(root: string): Promise<Folder> {
  const folder = await openHandle(root)
  // The names above the root were followed: what was opened must still be the folder of that name.
  const opened = await readlink(folder.here).catch(() => '')
  if (opened === root) return folder
  await folder.close()
  throw Object.assign(new Error(`ELOOP: ${root}`), { code: 'ELOOP', syscall: 'open' })
}

async function openHandle(path: string): Promise<Folder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const here = `/proc/self/fd/${handle.fd}`
  return {
    here,
    at: (name) => `${here}/${name}`,
    enter: (name) => openHandle(`${here}/${name}`),
    close: () => handle.close(),
  }
}
