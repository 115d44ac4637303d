import type { Reach } from '../schema/reach.ts'

export interface ShellRequest {
  command: string
  cwd: string
  timeout_ms: number
  /** `read`: the kernel keeps it from changing anything or reaching the network. A shell that cannot confine refuses it. */
  access: 'read' | 'write'
  /** `cwd` alone, if absent. Nothing in it can be written where `access` is `read`. */
  reach?: Reach
  signal: AbortSignal
  onOutput?: (text: string) => void
  /** Every byte of the output as it comes, however much there is. */
  onBytes?: (bytes: Uint8Array) => void
}

export interface ShellResult {
  /** Null when it was ended by us or by a signal. */
  exit_code: number | null
  /** stdout and stderr as they came, head and tail kept when there was too much. */
  output: string
  ended_by?: 'timeout' | 'cancel' | 'signal' | 'start_failed'
}

/** Runs a command; when it returns, no process of it is left. Never throws. */
export interface Shell {
  /** Whether `access: 'read'` works here. */
  readonly confines: boolean
  /** A folder for what this process has to set aside; nobody else reads it, and it is gone when the process is. */
  scratch?(): string
  run(request: ShellRequest): Promise<ShellResult>
}
