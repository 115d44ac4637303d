import { join } from 'node:path'
import type { Blobs, FolderWatch } from '../ports/undo.ts'

/** Old bytes and trees below the data folder. Loaded when something is changed for the first time. */
export function openUndo(data: string): { blobs: Blobs; watch: FolderWatch } {
  const folder = join(data, 'undo')
  let opened: Promise<{ blobs: Blobs; watch: FolderWatch }> | undefined
  const open = () => (opened ??= load(folder))
  return {
    blobs: {
      keep: async (bytes) => (await open()).blobs.keep(bytes),
      read: async (name) => (await open()).blobs.read(name),
      hash: async (bytes) => (await open()).blobs.hash(bytes),
    },
    watch: { begin: async (at) => (await open()).watch.begin(at) },
  }
}

async function load(folder: string): Promise<{ blobs: Blobs; watch: FolderWatch }> {
  const [{ openBlobStore }, { watchFolders }] = await Promise.all([
    import('../adapters/undo/blob-store.ts'),
    import('../adapters/undo/folder-watch.ts'),
  ])
  const blobs = openBlobStore(folder)
  return { blobs, watch: watchFolders(join(folder, 'trees'), blobs) }
}
