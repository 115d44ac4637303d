export type FileChange = 'new' | 'modified' | 'deleted'

export interface WrittenFile {
  path: string
  change: FileChange
  /** The bytes it had, by their SHA-256 in the undo store; null when it was not there. Absent when they were not kept. */
  before?: string | null
  /** Permission bits it had. */
  before_mode?: number
  /** SHA-256 of the bytes it was left with; null when it was deleted. */
  after?: string | null
}

/** What a tool call or sub-agent did, for the Reflect phase and for people. Long texts are clipped; the call holds all. */
export interface Observation {
  call_id: string
  tool: string
  input: Record<string, unknown>
  output: string
  duration_ms: number
  success: boolean
  /** Present when `success` is false. */
  error?: string
  files?: WrittenFile[]
}
