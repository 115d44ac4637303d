import { isUtf8 } from 'node:buffer'
import { existsSync, realpathSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import type { FileInfo, Files } from '../../ports/files.ts'
import { openCheckedFolder } from './checked-folder.ts'
import type { Folder, OpenRoot } from './folder.ts'
import { openHandleFolder } from './handle-folder.ts'
import { fingerprintOf, kindOf, requireFile, withFile } from './leaf.ts'
import { pathNames } from './path-names.ts'
import { MAX_LINES, readLines, refuseBinary } from './read-lines.ts'
import { Refusal, errnoOf, quote, refusing } from './refusal.ts'
import { replaceFile } from './replace-file.ts'
import { inFolder, linkRefusal } from './walk.ts'

/** Reading for editing, and writing. */
const MAX_FILE_BYTES = 10_000_000

/** The files below one folder. Links are never followed, not even those that stay inside: simple and safe. */
export function openFiles(root: string, openRoot: OpenRoot = rootOpener()): Files {
  const real = realRoot(root)
  const roots = [real, resolve(root)]

  const within = <T>(names: string[], create: boolean, work: (folder: Folder) => Promise<T>): Promise<T> =>
    inFolder(openRoot, real, names, { create }, work)

  /** The folder a file is in, opened, for a path that names a file. */
  const beside = <T>(
    path: string,
    create: boolean,
    work: (folder: Folder, names: string[]) => Promise<T>,
  ): Promise<T> => {
    const names = pathNames(path, roots)
    if (names.length === 0) throw new Refusal(`${quote(path)} is the working folder, not a file`)
    return within(names.slice(0, -1), create, (folder) => work(folder, names))
  }

  return {
    root: real,

    read: (path, range = { offset: 0, limit: MAX_LINES }) =>
      refusing(path, () =>
        beside(path, false, (folder, names) =>
          withFile(folder, names, 'read', async (handle, info) => {
            const file = { path: names.join('/'), size: Number(info.size) }
            return { ...file, ...(await readLines(handle, file, range)) }
          }),
        ),
      ),

    readWhole: (path) =>
      refusing(path, () =>
        beside(path, false, (folder, names) =>
          withFile(folder, names, 'read', async (handle, info) => {
            if (info.size > MAX_FILE_BYTES) throw tooLarge(path, Number(info.size))
            const bytes = await handle.readFile()
            refuseBinary(bytes, path)
            const text = bytes.toString('utf8')
            return {
              path: names.join('/'),
              text,
              valid_utf8: isUtf8(bytes),
              fingerprint: fingerprintOf(info),
            }
          }),
        ),
      ),

    stat: (path) =>
      refusing(path, async () => {
        const names = pathNames(path, roots)
        const name = names.at(-1)
        return within(names.slice(0, -1), false, async (folder) => {
          const info = await lstat(name === undefined ? `${folder.here}/.` : folder.at(name))
          if (info.isSymbolicLink()) throw linkRefusal(names)
          return { path: names.join('/') || '.', kind: kindOf(info), size: info.size }
        })
      }),

    list: (path, limit = Infinity) =>
      refusing(path, async () => {
        const names = pathNames(path, roots)
        return within(names, false, (folder) => listFolder(folder, names, limit))
      }),

    write: (path, text, options) =>
      refusing(path, async () => {
        refuseProtected(path, pathNames(path, roots))
        if (!text.isWellFormed()) throw new Refusal(`the text for ${quote(path)} is not valid Unicode`)
        const bytes = Buffer.from(text)
        if (bytes.length > MAX_FILE_BYTES) throw tooLarge(path, bytes.length)
        return beside(path, options.create, async (folder, names) => {
          const before = options.create
            ? await requireFree(folder, names)
            : await requireUnchanged(folder, names, options.fingerprint)
          await replaceFile(folder, names.at(-1) ?? '', bytes, before)
          return { path: names.join('/'), change: before ? 'modified' : 'new' } as const
        })
      }),

    delete: (path) =>
      refusing(path, async () => {
        refuseProtected(path, pathNames(path, roots))
        return beside(path, false, async (folder, names) => {
          const target = folder.at(names.at(-1) ?? '')
          requireFile(await lstat(target), names)
          await unlink(target)
          return { path: names.join('/'), change: 'deleted' } as const
        })
      }),
  }
}

const rootOpener = (): OpenRoot =>
  process.platform === 'linux' && existsSync('/proc/self/fd') ? openHandleFolder : openCheckedFolder

/** A root that does not exist is found out by the first operation, which can say so. */
function realRoot(root: string): string {
  try {
    return realpathSync(root)
  } catch {
    return resolve(root)
  }
}

function refuseProtected(path: string, names: readonly string[]): void {
  const what = protectedPath(names.join('/'))
  if (what) throw new Refusal(`${quote(path)} is protected: ${what} are left to the person to change`)
}

const tooLarge = (path: string, bytes: number): Refusal =>
  new Refusal(`${quote(path)} has ${bytes} bytes; files over ${MAX_FILE_BYTES} bytes are not edited`)

async function requireFree(folder: Folder, names: readonly string[]): Promise<undefined> {
  try {
    requireFile(await lstat(folder.at(names.at(-1) ?? '')), names)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  throw new Refusal(`${quote(names.join('/'))} already exists`)
}

/** Opened for writing, so that a file whose rights forbid it is refused although its name could be replaced. */
const requireUnchanged = (
  folder: Folder,
  names: readonly string[],
  fingerprint: string | undefined,
): Promise<BigIntStats> =>
  withFile(folder, names, 'write', async (_handle, info) => {
    if (fingerprint === undefined || fingerprint === fingerprintOf(info)) return info
    throw new Refusal(`${quote(names.join('/'))} was changed by somebody else meanwhile; read it again`)
  })

async function listFolder(folder: Folder, names: readonly string[], limit: number): Promise<FileInfo[]> {
  const entries = await readdir(folder.here, { withFileTypes: true })
  const rank = (entry: { isDirectory(): boolean }): number => (entry.isDirectory() ? 0 : 1)
  entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  return Promise.all(
    entries.slice(0, limit).map(async (entry) => {
      const path = [...names, entry.name].join('/')
      // Gone meanwhile, or a name that is not valid UTF-8: still listed, with what is known.
      const info = await lstat(folder.at(entry.name)).catch(() => undefined)
      return { path, kind: kindOf(info ?? entry), size: info?.isFile() ? info.size : 0 }
    }),
  )
}
