/** An open folder. What it gives access to cannot be changed by swapping a name for a link on the way to it. */
export interface Folder {
  /** For reading the folder's own entries. */
  readonly here: string
  /** How to name an entry in a system call. The call must not follow a link in the last name. */
  at(name: string): string
  /** Never follows a link: fails with ELOOP or ENOTDIR. */
  enter(name: string): Promise<Folder>
  close(): Promise<void>
}

/** Opens the root; its path is already real. */
export type OpenRoot = (root: string) => Promise<Folder>
