import type { Engine } from '../engine/engine.ts'
import type { RunMessageSettings } from '../schema/command.ts'
import type { LaunchRequest, LaunchSettings } from '../schema/launch.ts'
import type { Pending, PendingAnswer } from '../schema/pending.ts'

/** What the server offers, and what it works with. */
export interface McpHost {
  version: string
  folder: string
  engine: Engine
  /** The tool as the interactive agent has it. */
  tool: { name: string; description: string; parameters: Record<string, unknown> }
  /** What is wrong with an input; nothing for a good one. */
  check: (input: Record<string, unknown>) => string[]
  team: LaunchSettings
  /** What is told to the client about the team. */
  instructions: string
  /** The person said beforehand that runs may start. */
  approved: boolean
  /** `asks`: somebody can be asked while it works. */
  settings: (request: LaunchRequest, run: { planning: boolean; asks: boolean }) => RunMessageSettings
  /** How something is answered that nobody can be asked about. */
  policy: (pending: Pending) => PendingAnswer | undefined
  /** What a person typed or chose. */
  readAnswer: (pending: Pending, typed: string) => PendingAnswer | { problem: string }
}

/** What a call of the client gives to the run it launches. */
export interface Caller {
  signal: AbortSignal
  /** Tells how far it is. */
  progress: (text: string) => void
  /** Puts a choice to the person at the client; nothing when they decline. Absent: nobody can be asked. */
  choose?: (question: string, choices: Choice[]) => Promise<string | undefined>
}

export interface Choice {
  value: string
  label: string
}
