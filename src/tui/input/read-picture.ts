import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { LARGEST_PICTURE_BYTES } from '../../schema/picture.ts'

/** The bytes of a file on this machine; nothing when there is no such file. Throws with the reason when it cannot be one. */
export async function readPicture(path: string, folders: readonly string[]): Promise<Uint8Array | undefined> {
  const whole = path.replace(/^~(?=\/)/, homedir())
  for (const folder of folders) {
    const bytes = await readAt(resolve(folder, whole))
    if (bytes) return bytes
  }
  return undefined
}

async function readAt(path: string): Promise<Uint8Array | undefined> {
  try {
    const found = await stat(path)
    // A pipe would keep the person waiting.
    if (!found.isFile()) throw new Error('it is no file')
    if (found.size > LARGEST_PICTURE_BYTES) throw new Error(tooLarge(found.size))
    return await readFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw code === 'EACCES' || code === 'EPERM'
      ? new Error('it may not be read by you', { cause: error })
      : error
  }
}

const tooLarge = (size: number): string =>
  `it has ${(size / 1e6).toFixed(1)} MB; models take at most ${LARGEST_PICTURE_BYTES / 1e6} MB`
