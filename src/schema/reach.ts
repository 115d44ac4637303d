/**
 * A place beside the folder that agents may look at or, where the person said so, write. The narrowest path that holds a
 * file has the say over it, and of two for the very same path the stricter one.
 */
export interface ContextPath {
  /** A folder or a file, absolute and without links: one that has become a link since leads nowhere. */
  path: string
  permission: 'read' | 'write'
  /** Absolute, below `path`; never written. */
  protected_paths: string[]
  /** Named in the message that brings it, not in the head of the prompt, which stays the same all along. */
  unlisted?: boolean
}

/** What one turn may reach. Absent, as in old logs: the chat's folder, writable. */
export interface Reach {
  /** Where relative paths start; absolute and without links. */
  root: string
  root_access: 'read' | 'write'
  context: ContextPath[]
}
