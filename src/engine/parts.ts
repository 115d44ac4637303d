import type { Clock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import type { Journal } from '../ports/journal.ts'
import type { Model } from '../ports/model.ts'
import type { Pictures } from '../ports/pictures.ts'
import type { ProjectContext, ProjectMemory, ProjectWorkspace } from '../ports/project.ts'
import type { Shell } from '../ports/shell.ts'
import type { TeamParts } from '../ports/team.ts'
import type { FolderWatch } from '../ports/undo.ts'
import type { Profile } from '../prompts/profiles.ts'
import type { CompactionSettings } from '../schema/compaction.ts'
import type { ChatId } from '../schema/ids.ts'
import type { LaunchRequest, LaunchSettings } from '../schema/launch.ts'
import type { ContextPath, Reach } from '../schema/reach.ts'
import type { MessageSettings, RunMessageSettings } from '../schema/command.ts'
import type { Tool } from '../tools/tool.ts'
import type { TurnOrder } from './turns.ts'

/** What the engine is put together from. The command line is the only place that knows which adapters these are. */
export interface EngineParts {
  journal: Journal
  clock: Clock
  tools: readonly Tool[]
  /** An agent of the config, with its model; loaded when first used. The turn is whose request it is for. */
  agent: (id: string, turn: TurnOrder) => Promise<Agent>
  /** A folder that may be written, or what a turn may reach. */
  files: (granted: string | Reach) => Files
  shell: Shell
  /** Absent: messages have no pictures. */
  pictures?: Pictures
  platform: string
  /** What a trusted folder tells its agents; always the same for one folder. */
  project?: (folder: string) => Promise<ProjectContext | undefined>
  /** What a trusted folder's workspace remembers, as it was when the chat was opened here. */
  memory?: (folder: string, chat: ChatId) => Promise<ProjectMemory | undefined>
  /** The workspace of a project, for runs to leave their traces in. */
  workspace?: (folder: string) => Promise<ProjectWorkspace>
  /** Chats are with the interactive agent, which knows this team. */
  interactive?: Omit<Extract<Profile, { name: 'interactive' }>, 'name'> & { launch: LaunchSettings }
  /** Absent: chats are summarised only when a person asks for it. */
  compaction?: CompactionSettings
  /** Finds out what a command changed, so that it can be undone. */
  watch?: FolderWatch
  /** What a run is started with that the interactive agent launches. */
  launch?: (
    request: LaunchRequest,
    base: { turn: MessageSettings; planning: boolean; context_paths: ContextPath[] },
  ) => RunMessageSettings
  /** What a team needs; asked for when the first run begins. */
  team?: () => Promise<TeamParts>
  /** Ends what the tools hold open, when the engine closes. */
  close?: () => Promise<void>
}

export interface Agent {
  id: string
  model: Model
  /** Who it is, told to itself alone. */
  identity?: string
  system_message?: string
}
