export interface ShellRequest {
  command: string
  cwd: string
  timeout_ms: number
  signal: AbortSignal
  onOutput?: (text: string) => void
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
  run(request: ShellRequest): Promise<ShellResult>
}
