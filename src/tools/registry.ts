import type { ModelTool } from '../ports/model.ts'
import { createFile } from './create-file.ts'
import { delegate } from './delegate.ts'
import { deleteFile } from './delete-file.ts'
import { explore } from './explore.ts'
import { listDirectory } from './list-directory.ts'
import { planStep } from './plan-step.ts'
import { readFile } from './read-file.ts'
import { searchCode } from './search-code.ts'
import { shellTools } from './shell.ts'
import { todo } from './todo.ts'
import type { Tool } from './tool.ts'
import { updateFile } from './update-file.ts'

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
]

export const toModelTool = (tool: Tool): ModelTool => ({
  name: tool.name,
  description: tool.description,
  parameters: 'foreign' in tool.input ? tool.input.foreign : { ...tool.input },
})
