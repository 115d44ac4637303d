import type { FileChange } from '../schema/observation.ts'

/**
 * The one way to the user's files. Paths are relative to the root (or absolute inside it); whatever resolves elsewhere,
 * follows a link out, or is not a regular file is refused. Every method returns a refusal as data.
 */
export interface Files {
  readonly root: string
  read(path: string, range?: { offset: number; limit: number }): Promise<FileText | Refused>
  stat(path: string): Promise<FileInfo | Refused>
  list(path: string): Promise<FileInfo[] | Refused>
  /** Creates folders on the way. Atomic: readers see the old bytes or the new ones. */
  write(
    path: string,
    text: string,
    options: { create: boolean },
  ): Promise<{ path: string; change: FileChange } | Refused>
  delete(path: string): Promise<{ path: string; change: FileChange } | Refused>
}

export interface FileText {
  path: string
  text: string
  /** Bytes in the whole file. */
  size: number
  /** Zero-based line of the first returned line, and how many lines the file has (absent when the file is too large to count). */
  first_line: number
  total_lines?: number
  /** True when there is more after what was returned. */
  truncated: boolean
  /** False when bytes had to be replaced to show the text: such a file must not be written back. */
  valid_utf8: boolean
}

export interface FileInfo {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  size: number
}

export interface Refused {
  refused: string
}
