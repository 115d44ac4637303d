import type { CommandAccess } from '../../schema/access.ts'
import type { Tether } from '../mcp/server-process.ts'

export interface AcpOptions {
  /** The program and its arguments. */
  command: readonly string[]
  /** Where a relative program starts. */
  cwd?: string
  /** Names of our variables that the agent may see, beside those every command sees. */
  env?: readonly string[]
  /** In Plan mode the agent runs in a read-only sandbox, or not at all. */
  plan_mode?: 'sandbox' | 'refuse'
  /** Where the agent keeps its own state, writable in Plan mode too; known for some programs. */
  state_paths?: readonly string[]
  /** Shown to people. */
  label?: string
  limits?: Partial<AcpLimits>
  /** Takes a command line apart for the person who has to approve it. */
  analyze?: (command: string) => Promise<CommandAccess>
  /** What makes the agent end with us; found out when absent. */
  tether?: Tether
}

export interface AcpLimits {
  /** Until the agent has started and opened a session. */
  start_ms: number
  /** Without a word; not counted while a person is asked. */
  silence_ms: number
  /** The same while one of its tools runs: a test suite may say nothing for long. */
  tool_silence_ms: number
  /** From the request to stop until the agent is ended. */
  cancel_ms: number
  /** An agent nobody talks to is ended after this. */
  idle_ms: number
  /** Characters of text and thought in one reply. */
  text: number
  /** Tool calls in one reply. */
  calls: number
}

export const acpLimits: AcpLimits = {
  start_ms: 60_000,
  silence_ms: 600_000,
  tool_silence_ms: 3_600_000,
  cancel_ms: 1_000,
  idle_ms: 600_000,
  text: 4_000_000,
  calls: 1_000,
}
