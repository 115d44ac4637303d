import type { ModelTool } from '../ports/model.ts'
import { askOthers } from './ask-others.ts'
import { createFile } from './create-file.ts'
import { delegate } from './delegate.ts'
import { deleteFile } from './delete-file.ts'
import { explore } from './explore.ts'
import { listDirectory } from './list-directory.ts'
import { newAnswer } from './new-answer.ts'
import { planStep } from './plan-step.ts'
import { readFile } from './read-file.ts'
import { searchCode } from './search-code.ts'
import { shellTools } from './shell.ts'
import { todo } from './todo.ts'
import type { Tool } from './tool.ts'
import { updateFile } from './update-file.ts'
import { vote } from './vote.ts'

/** For the agents of a team; nobody else is offered them. */
export const teamTools: readonly Tool[] = [newAnswer, vote, askOthers]

/** In the order the model sees them; always the same, so that provider caches hit. */
export const builtinTools = (): Tool[] => [
  readFile,
  searchCode,
  listDirectory,
  createFile,
  updateFile,
  deleteFile,
  ...shellTools(),
  explore,
  delegate,
  planStep,
  todo,
  ...teamTools,
]

export const toModelTool = (tool: Tool): ModelTool => ({
  name: tool.name,
  description: tool.description,
  parameters: 'foreign' in tool.input ? tool.input.foreign : { ...tool.input },
})
