import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Journal } from '../ports/journal.ts'
import type { Model } from '../ports/model.ts'
import type { Shell } from '../ports/shell.ts'
import type { Tool } from '../tools/tool.ts'

/** What the engine is put together from. The command line is the only place that knows which adapters these are. */
export interface EngineParts {
  journal: Journal
  clock: Clock
  tools: readonly Tool[]
  /** An agent of the config, with its model; loaded when first used. */
  agent: (id: string) => Promise<Agent>
  files: (folder: string) => Files
  shell: Shell
  platform: string
  /** Ends what the tools hold open, when the engine closes. */
  close?: () => Promise<void>
}

export interface Agent {
  id: string
  model: Model
  system_message?: string
}
