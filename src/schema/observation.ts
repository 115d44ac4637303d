export type FileChange = 'new' | 'modified' | 'deleted'

export interface WrittenFile {
  path: string
  change: FileChange
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
