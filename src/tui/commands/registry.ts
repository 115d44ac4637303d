import { actCommand } from './act.ts'
import { agentsCommand } from './agents.ts'
import type { SlashCommand } from './command.ts'
import { compactCommand } from './compact.ts'
import { compareCommand } from './compare.ts'
import { configCommand } from './config.ts'
import { contextCommand } from './context.ts'
import { copyCommand } from './copy.ts'
import { costCommand } from './cost.ts'
import { diffCommand } from './diff.ts'
import { executeCommand } from './execute.ts'
import { exportCommand } from './export.ts'
import { forkCommand } from './fork.ts'
import { helpCommand } from './help.ts'
import { mcpCommand } from './mcp.ts'
import { modeCommand } from './mode.ts'
import { modelCommand } from './model.ts'
import { newCommand } from './new.ts'
import { overrideCommand } from './override.ts'
import { permissionsCommand } from './permissions.ts'
import { planCommand } from './plan.ts'
import { quitCommand } from './quit.ts'
import { resumeCommand } from './resume.ts'
import { searchCommand } from './search.ts'
import { themeCommand } from './theme.ts'
import { undoCommand } from './undo.ts'

/** In the order of help. */
export const slashCommands: readonly SlashCommand[] = [
  helpCommand,
  newCommand,
  resumeCommand,
  forkCommand,
  compactCommand,
  planCommand,
  actCommand,
  modeCommand,
  executeCommand,
  overrideCommand,
  agentsCommand,
  modelCommand,
  undoCommand,
  diffCommand,
  compareCommand,
  costCommand,
  contextCommand,
  permissionsCommand,
  configCommand,
  mcpCommand,
  searchCommand,
  copyCommand,
  exportCommand,
  themeCommand,
  quitCommand,
]
