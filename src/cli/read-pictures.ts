import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { isRejected } from '../core/aggregate.ts'
import type { Engine } from '../engine/engine.ts'
import { LARGEST_PICTURE_BYTES, type NamedPicture } from '../schema/picture.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** The pictures named on the command line, kept for the message that goes with them. */
export const readPictures = (
  engine: Engine,
  files: readonly string[],
  folder: string,
): Promise<NamedPicture[]> =>
  Promise.all(
    files.map(async (file) => {
      const path = resolve(folder, file)
      const kept = await engine.keepPicture(await read(path, file))
      if (isRejected(kept)) throw refuse(file, kept.rejected)
      return { id: kept.id, name: basename(path) }
    }),
  )

async function read(path: string, file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    if (size <= LARGEST_PICTURE_BYTES) return await readFile(path)
    throw new Error(
      `it has ${(size / 1e6).toFixed(1)} MB; models take at most ${LARGEST_PICTURE_BYTES / 1e6} MB`,
    )
  } catch (error) {
    throw refuse(file, error instanceof Error ? error.message : String(error))
  }
}

const refuse = (file: string, why: string): Exit =>
  new Exit(exitCodes.input, `--image ${JSON.stringify(file)} cannot be sent: ${why}`)
