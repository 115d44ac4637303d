import type { Refused } from '../../ports/files.ts'

/** Thrown inside this adapter for what the world does; `refusing` turns it into data at the edge. */
export class Refusal extends Error {}

/** Runs one operation on a path: whatever the file system says becomes a sentence. Bugs still throw. */
export async function refusing<T>(path: string, work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    const code = errnoOf(error)
    if (code === undefined) throw error
    return { refused: `${quote(path)} ${SENTENCES[code] ?? `could not be used: the system said ${code}`}` }
  }
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

/** A path as text that cannot be mistaken for anything else, however odd its characters. */
export const quote = (path: string): string =>
  JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path)

const DENIED = 'cannot be used: permission denied; ask the person to change its permissions'
const FULL = 'was not written: the disk is full; free some space first'
const BUSY = 'is in use by another process; try again'

const SENTENCES: Record<string, string> = {
  ENOENT: 'does not exist; look at the folder with list_directory',
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: 'was not changed: its file system is read-only',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: 'was not written: it is larger than this file system or user may have',
  EEXIST: 'already exists',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is below something that is not a folder',
  ENOTEMPTY: 'is a folder with something in it',
  ELOOP: 'is or goes through a symbolic link; links are not followed',
  ENAMETOOLONG: 'has a name that is too long for this file system',
  EINVAL: 'has a name that this file system does not take',
  EILSEQ: 'has a name that this file system does not take',
  ENXIO: 'is not a regular file',
  ENODEV: 'is not a regular file',
  EIO: 'could not be used: the disk reported an error',
  EBUSY: BUSY,
  ETXTBSY: BUSY,
  EMFILE: 'could not be opened: too many files are open; try again',
  ENFILE: 'could not be opened: too many files are open; try again',
  ENOMEM: 'could not be used: the system is out of memory',
  ESTALE: 'is on a network drive that has lost it; try again',
  ETIMEDOUT: 'is on a network drive that does not answer',
}
