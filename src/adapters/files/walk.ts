import { mkdir, lstat } from 'node:fs/promises'
import type { Folder, OpenRoot } from './folder.ts'
import { Refusal, errnoOf, quote } from './refusal.ts'

/**
 * Opens the folder below the root that the names lead to, works in it, and closes it whatever happens. Names from
 * `create_from` on are made when they are missing.
 */
export async function inFolder<T>(
  openRoot: OpenRoot,
  root: string,
  names: readonly string[],
  options: { create_from: number },
  work: (folder: Folder) => Promise<T>,
): Promise<T> {
  let folder = await openRoot(root).catch((error: unknown) => {
    throw rootRefusal(root, error)
  })
  try {
    for (const [index, name] of names.entries()) {
      if (index >= options.create_from) await makeFolder(folder, name)
      const next = await folder.enter(name).catch(async (error: unknown) => {
        throw await stepRefusal(folder, names.slice(0, index + 1), error)
      })
      await folder.close()
      folder = next
    }
    return await work(folder)
  } finally {
    await folder.close()
  }
}

async function makeFolder(folder: Folder, name: string): Promise<void> {
  try {
    await mkdir(folder.at(name))
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}

function rootRefusal(root: string, error: unknown): unknown {
  const code = errnoOf(error)
  if (code === 'ENOENT') return new Refusal(`the working folder ${quote(root)} does not exist any more`)
  if (code === 'ENOTDIR') return new Refusal(`the working folder ${quote(root)} is not a folder any more`)
  if (code === 'ELOOP') {
    return new Refusal(`the working folder ${quote(root)} was replaced by a symbolic link, or moved`)
  }
  return error
}

export class MissingFolder extends Refusal {}

/** Says which name on the way was the problem. */
async function stepRefusal(folder: Folder, names: readonly string[], error: unknown): Promise<unknown> {
  const code = errnoOf(error)
  const path = quote(names.join('/'))
  if (code === 'ENOENT') return new MissingFolder(`the folder ${path} does not exist`)
  if (code !== 'ENOTDIR' && code !== 'ELOOP') return error
  const info = await lstat(folder.at(names.at(-1) ?? '')).catch(() => undefined)
  if (code === 'ELOOP' || info?.isSymbolicLink()) return linkRefusal(names)
  return new Refusal(`${path} is not a folder`)
}

export const linkRefusal = (names: readonly string[]): Refusal =>
  new Refusal(`${quote(names.join('/'))} is a symbolic link; links are not followed, use the real path`)
