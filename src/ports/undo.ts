import type { WrittenFile } from '../schema/observation.ts'

/** Old bytes of files, kept by what they are. Never throws: what cannot be kept is simply not there later. */
export interface Blobs {
  /** Resolves to the SHA-256 when the bytes are safe on disk. */
  keep(bytes: Uint8Array): Promise<string | undefined>
  read(sha256: string): Promise<Uint8Array | undefined>
  hash(bytes: Uint8Array): Promise<string>
}

/** Finds out what a command changed in a folder. Never throws. */
export interface FolderWatch {
  /** Looks at the folder now; the returned function looks again and tells what is different, with the old bytes kept. */
  begin(folder: string): Promise<() => Promise<FolderChanges>>
}

export interface FolderChanges {
  files: WrittenFile[]
  /** Why not everything is listed or can be undone. Said once for each reason. */
  note?: string
}
