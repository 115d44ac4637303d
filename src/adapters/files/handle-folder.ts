import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Folder } from './folder.ts'

/**
 * Linux: a folder is an open handle and its entries are reached through it, so that a parent swapped for a link in the
 * meantime has no effect. Checking a path first and opening it afterwards loses that race.
 */
export async function openHandleFolder(path: string): Promise<Folder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const here = `/proc/self/fd/${handle.fd}`
  return {
    here,
    at: (name) => `${here}/${name}`,
    enter: (name) => openHandleFolder(`${here}/${name}`),
    close: () => handle.close(),
  }
}
