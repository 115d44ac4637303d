import { join } from 'node:path'
import type { Pictures } from '../ports/pictures.ts'

/** The pictures of messages, below the data folder for as long as the log that names them. Loaded with the first one. */
export function openPictures(data: string): Pictures {
  let opened: Promise<Pictures> | undefined
  const open = (): Promise<Pictures> => {
    opened ??= import('../adapters/undo/blob-store.ts').then(({ openBlobStore }) =>
      openBlobStore(join(data, 'pictures'), { sweep: false }),
    )
    return opened
  }
  return {
    keep: async (bytes) => (await open()).keep(bytes),
    read: async (name) => (await open()).read(name),
    forget: async (name) => (await open()).forget(name),
  }
}
