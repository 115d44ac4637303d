import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Folder } from './folder.ts'

/**
 * Systems without `/proc/self/fd`: every name on the way is checked to be a real folder inside the root. Weaker than
 * handles: a process that swaps a folder for a link between this check and its use can still win.
 */
export const openCheckedFolder = (root: string): Promise<Folder> => check(root, root)

async function check(path: string, root: string): Promise<Folder> {
  const info = await lstat(path)
  if (info.isSymbolicLink()) throw failure('ELOOP', path)
  if (!info.isDirectory()) throw failure('ENOTDIR', path)
  const real = await realpath(path)
  if (path === root ? real !== root : !real.startsWith(root.endsWith(sep) ? root : root + sep))
    throw failure('ELOOP', path)
  return {
    here: path,
    at: (name) => join(path, name),
    enter: (name) => check(join(path, name), root),
    close: async () => {},
  }
}

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open' })
