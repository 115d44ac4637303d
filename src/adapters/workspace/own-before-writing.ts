import { chmodSync, constants, copyFileSync, lstatSync, renameSync, utimesSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { type BytePath, fromText, nameOf, parentOf, toBytes } from './byte-path.ts'
import { inFolder } from './walk-tree.ts'

/**
 * Files of a workspace for an agent's tools: a shared file becomes the workspace's own before it is written. What the
 * others see stays as it is, because the shared one is replaced by name.
 */
export function ownBeforeWriting(files: Files): Files {
  return {
    ...files,
    async write(path, text, options) {
      const before = options.create ? undefined : await files.stat(path)
      if (!before || 'refused' in before || isAbsolute(before.path) || !makeOwn(files.root, before.path)) {
        return files.write(path, text, options)
      }
      const now = await files.stat(path)
      // Its fingerprint changed with us, so what the caller knows is compared with the one it had.
      const known = options.fingerprint === undefined || options.fingerprint === before.fingerprint
      const fingerprint = known && !('refused' in now) ? now.fingerprint : options.fingerprint
      return files.write(path, text, { create: false, ...(fingerprint !== undefined && { fingerprint }) })
    },
  }
}

/** True when it was shared. */
function makeOwn(root: string, path: string): boolean {
  const at = fromText(path)
  return inFolder(fromText(root), parentOf(at), (folder) => replace(folder, nameOf(at))) ?? false
}

function replace(folder: BytePath, name: BytePath): boolean {
  const file = toBytes(`${folder}/${name}`)
  const info = lstatSync(file, { throwIfNoEntry: false })
  if (!info?.isFile() || info.nlink < 2 || (info.mode & 0o222) !== 0) return false
  const temporary = toBytes(`${folder}/.conclave-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  copyFileSync(file, temporary, constants.COPYFILE_FICLONE)
  chmodSync(temporary, (info.mode & 0o777) | 0o200)
  utimesSync(temporary, info.atimeMs / 1000, info.mtimeMs / 1000)
  renameSync(temporary, file)
  return true
}
