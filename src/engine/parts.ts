import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Journal } from '../ports/journal.ts'
import type { Model } from '../ports/model.ts'
import type { ProjectContext } from '../ports/project.ts'
import type { Shell } from '../ports/shell.ts'
import type { FolderWatch } from '../ports/undo.ts'
import type { Tool } from '../tools/tool.ts'
import type { TurnOrder } from './turns.ts'

/** What the engine is put together from. The command line is the only place that knows which adapters these are. */
export interface EngineParts {
  journal: Journal
  clock: Clock
  tools: readonly Tool[]
  /** An agent of the config, with its model; loaded when first used. The turn is whose request it is for. */
  agent: (id: string, turn: TurnOrder) => Promise<Agent>
  files: (folder: string) => Files
  shell: Shell
  platform: string
  /** What a trusted folder tells its agents; always the same for one folder. */
  project?: (folder: string) => Promise<ProjectContext | undefined>
  /** Finds out what a command changed, so that it can be undone. */
  watch?: FolderWatch
  /** Ends what the tools hold open, when the engine closes. */
  close?: () => Promise<void>
}

export interface Agent {
  id: string
  model: Model
  system_message?: string
}
