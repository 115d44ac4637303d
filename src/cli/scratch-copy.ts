import { constants, existsSync } from 'node:fs'
import { cp, lstat, mkdtemp, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join, relative } from 'node:path'
import { Exit, exitCodes } from './exit-codes.ts'

/** A copy of a folder as it is now, in which anything may happen: no link in it leads back. */
export async function scratchCopy(folder: string): Promise<string> {
  if (!existsSync(folder))
    throw new Exit(exitCodes.input, `${folder} is not there any more; give a copy of it with --folder <dir>`)
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'conclave-replay-')))
  const copy = join(scratch, basename(folder))
  const links: { at: string; to: string }[] = []
  await cp(folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (source) => {
      const found = await lstat(source)
      if (!found.isSymbolicLink()) return found.isFile() || found.isDirectory()
      const target = await readlink(source)
      if (!isAbsolute(target) || !isInside(target, folder)) return true
      links.push({ at: join(copy, relative(folder, source)), to: join(copy, relative(folder, target)) })
      return false
    },
  })
  for (const { at, to } of links) await symlink(to, at)
  return copy
}

/** A folder the person gave. It must be another than the recorded one. */
export async function givenCopy(given: string, original: string): Promise<string> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new Exit(exitCodes.input, `--folder ${given}: there is no such folder`)
  const copy = await realpath(given)
  const real = await realpath(original).catch(() => original)
  if (isInside(copy, real) || isInside(real, copy)) {
    throw new Exit(
      exitCodes.input,
      `--folder ${given} is the folder of the recording, or in it, or around it: give a copy`,
    )
  }
  return copy
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
