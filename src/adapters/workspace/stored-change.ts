import type { FileChange } from '../../schema/observation.ts'
import type { BytePath } from './byte-path.ts'

/** One difference between the base and a snapshot. */
export interface StoredChange {
  path: BytePath
  change: FileChange
  /** What it is now; null when it is gone. */
  kind: 'file' | 'link' | null
  /** Bytes it has now. */
  size: number
}
