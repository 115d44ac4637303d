import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import type { FileInfo, Files } from '../../ports/files.ts'
import type { Blobs } from '../../ports/undo.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { Reach } from '../../schema/reach.ts'
import { openCheckedFolder } from './checked-folder.ts'
import type { Folder, OpenRoot } from './folder.ts'
import { openGrants } from './grants.ts'
import type { FileGrants, Place } from './grants.ts'
import { openHandleFolder } from './handle-folder.ts'
import { fingerprintOf, kindOf, requireFile, withFile } from './leaf.ts'
import { MAX_LINES, readLines, refuseBinary } from './read-lines.ts'
import { Refusal, errnoOf, quote, refusing } from './refusal.ts'
import { replaceFile } from './replace-file.ts'
import { inFolder, linkRefusal } from './walk.ts'

/** Reading for editing, and writing. */
const MAX_FILE_BYTES = 10_000_000

export interface FilesOptions {
  openRoot?: OpenRoot
  /** Gets the old bytes of every file before it is changed. */
  blobs?: Blobs
}

/**
 * The files below one folder, or below several granted paths. Links are never followed, not even those that stay
 * inside: simple and safe.
 */
export function openFiles(granted: string | FileGrants | Reach, options: FilesOptions = {}): Files {
  const { openRoot = rootOpener(), blobs } = options
  const grants = openGrants(granted)

  const within = <T>(
    { base, names }: Place,
    depth: number,
    create_from: number,
    work: (folder: Folder) => Promise<T>,
  ): Promise<T> => inFolder(openRoot, base, names.slice(0, depth), { create_from }, work)

  /** The folder a file is in, opened, for a path that names a file. */
  const beside = <T>(
    place: Place,
    options: { create: boolean },
    work: (folder: Folder, names: string[]) => Promise<T>,
  ): Promise<T> => {
    if (place.names.length === 0) throw new Refusal(`${quote(place.shown)} is the working folder, not a file`)
    return within(place, -1, options.create ? place.create_from : Infinity, (folder) =>
      work(folder, place.names),
    )
  }

  const findWritable = (path: string): Place => {
    const place = grants.find(path)
    const what = protectedPath(place.shown)
    if (what) throw new Refusal(`${quote(path)} is protected: ${what} are left to the person to change`)
    if (place.read_only !== undefined) throw new Refusal(place.read_only)
    return place
  }

  /** The old bytes go to safety before the file is touched. */
  const keepOld = async (folder: Folder, names: readonly string[]): Promise<Partial<WrittenFile>> => {
    if (!blobs) return {}
    return withFile(folder, names, 'read', async (handle, info) => {
      if (info.size > MAX_FILE_BYTES) return {}
      const before = await blobs.keep(await handle.readFile())
      return before === undefined ? {} : { before, before_mode: Number(info.mode) & 0o777 }
    })
  }

  return {
    root: grants.root,

    read: (path, range = { offset: 0, limit: MAX_LINES }) =>
      refusing(path, async () => {
        const place = grants.find(path)
        return beside(place, { create: false }, (folder, names) =>
          withFile(folder, names, 'read', async (handle, info) => {
            const file = { path: place.shown, size: Number(info.size), fingerprint: fingerprintOf(info) }
            return { ...file, ...(await readLines(handle, file, range)) }
          }),
        )
      }),

    readWhole: (path) =>
      refusing(path, async () => {
        const place = grants.find(path)
        return beside(place, { create: false }, (folder, names) =>
          withFile(folder, names, 'read', async (handle, info) => {
            if (info.size > MAX_FILE_BYTES) throw tooLarge(path, Number(info.size))
            const bytes = await handle.readFile()
            refuseBinary(bytes, path)
            return {
              path: place.shown,
              text: bytes.toString('utf8'),
              valid_utf8: isUtf8(bytes),
              fingerprint: fingerprintOf(info),
            }
          }),
        )
      }),

    stat: (path) =>
      refusing(path, async () => {
        const place = grants.find(path)
        const name = place.names.at(-1)
        return within(place, -1, Infinity, async (folder) => {
          const target = name === undefined ? `${folder.here}/.` : folder.at(name)
          const info = await lstat(target, { bigint: true })
          if (info.isSymbolicLink()) throw linkRefusal(place.names)
          const found = { path: place.shown, kind: kindOf(info), size: Number(info.size) }
          return info.isFile() ? { ...found, fingerprint: fingerprintOf(info) } : found
        })
      }),

    list: (path, limit = Infinity) =>
      refusing(path, async () => {
        const place = grants.find(path)
        const prefix = place.shown === '.' ? '' : `${place.shown}/`
        return within(place, place.names.length, Infinity, (folder) => listFolder(folder, prefix, limit))
      }),

    write: (path, text, options) =>
      refusing(path, async () => {
        const place = findWritable(path)
        if (!text.isWellFormed()) throw new Refusal(`the text for ${quote(path)} is not valid Unicode`)
        const bytes = Buffer.from(text)
        if (bytes.length > MAX_FILE_BYTES) throw tooLarge(path, bytes.length)
        return beside(place, options, async (folder, names): Promise<WrittenFile> => {
          const before = options.create
            ? await requireFree(folder, names)
            : await requireUnchanged(folder, names, options.fingerprint)
          const kept = before ? await keepOld(folder, names) : { ...(blobs && { before: null }) }
          await replaceFile(folder, names.at(-1) ?? '', bytes, before)
          const after = await blobs?.hash(bytes)
          return {
            path: place.shown,
            change: before ? 'modified' : 'new',
            ...kept,
            ...(after !== undefined && { after }),
          }
        })
      }),

    delete: (path) =>
      refusing(path, async () => {
        const place = findWritable(path)
        return beside(place, { create: false }, async (folder, names): Promise<WrittenFile> => {
          const target = folder.at(names.at(-1) ?? '')
          requireFile(await lstat(target), names)
          const kept = await keepOld(folder, names)
          await unlink(target)
          return { path: place.shown, change: 'deleted', ...kept, ...(blobs && { after: null }) }
        })
      }),
  }
}

export const rootOpener = (): OpenRoot =>
  process.platform === 'linux' && existsSync('/proc/self/fd') ? openHandleFolder : openCheckedFolder

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

async function listFolder(folder: Folder, prefix: string, limit: number): Promise<FileInfo[]> {
  const entries = await readdir(folder.here, { withFileTypes: true })
  const rank = (entry: { isDirectory(): boolean }): number => (entry.isDirectory() ? 0 : 1)
  entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  return Promise.all(
    entries.slice(0, limit).map(async (entry) => {
      const path = prefix + entry.name
      // Gone meanwhile, or a name that is not valid UTF-8: still listed, with what is known.
      const info = await lstat(folder.at(entry.name)).catch(() => undefined)
      return { path, kind: kindOf(info ?? entry), size: info?.isFile() ? info.size : 0 }
    }),
  )
}
