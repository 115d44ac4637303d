import type { WrittenFile } from '../schema/observation.ts'

/**
 * The one way to the user's files. Paths are relative to the root, or absolute inside it or another granted path; what
 * resolves elsewhere, goes through a link, or is not a regular file is refused. Every method returns a refusal as data.
 */
export interface Files {
  readonly root: string
  read(path: string, range?: { offset: number; limit: number }): Promise<FileText | Refused>
  /** Every byte as text, for editing. Refuses files that are too large to be edited. */
  readWhole(path: string): Promise<WholeFile | Refused>
  stat(path: string): Promise<FileInfo | Refused>
  /** Folders first, then by name; only the first `limit` of them when given. */
  list(path: string, limit?: number): Promise<FileInfo[] | Refused>
  /**
   * `create` makes a new file, with the folders on the way, and refuses an existing one; without it the file must exist.
   * Atomic: readers see the old bytes or the new ones. With `fingerprint`, refuses a file that has changed since.
   */
  write(
    path: string,
    text: string,
    options: { create: boolean; fingerprint?: string },
  ): Promise<WrittenFile | Refused>
  delete(path: string): Promise<WrittenFile | Refused>
}

export interface FileText {
  path: string
  /** The lines as they are in the file, line ends included; very long ones are clipped and say so. */
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
  /** Changes whenever the file does. */
  fingerprint: string
}

export interface WholeFile {
  path: string
  text: string
  valid_utf8: boolean
  /** Changes whenever the file does. */
  fingerprint: string
}

export interface FileInfo {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  size: number
  /** Of a file, when it was asked for by name. */
  fingerprint?: string
}

export interface Refused {
  refused: string
}
