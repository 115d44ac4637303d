import { MEMORY_FILE } from '../core/trust/project-says.ts'
import type { EngineParts } from '../engine/parts.ts'
import type { ProjectMemory, ProjectWorkspace } from '../ports/project.ts'
import type { ChatId } from '../schema/ids.ts'
import type { Args } from './args.ts'
import { MEMORY_MARK, findProject, trustFile } from './project.ts'

/** The workspaces of projects, and what trusted ones remember. */
export function projectParts(args: Args): Required<Pick<EngineParts, 'memory' | 'workspace'>> {
  const memories = new Map<ChatId, Promise<ProjectMemory | undefined>>()
  const workspaces = new Map<string, Promise<ProjectWorkspace>>()
  return {
    memory: (folder, chat) => {
      const memory = memories.get(chat) ?? trustedMemory(args, folder)
      memories.set(chat, memory)
      return memory
    },
    workspace: (folder) => {
      const workspace = workspaces.get(folder) ?? ownProject(args, folder)
      workspaces.set(folder, workspace)
      return workspace
    },
  }
}

/** A CONTEXT.md that was made here and now is as trustworthy as its maker, so nobody is asked about it. */
export async function ownProject(args: Args, folder: string): Promise<ProjectWorkspace> {
  const [{ openProject }, { openTrustStore }] = await Promise.all([
    import('../adapters/project/project-workspace.ts'),
    import('../adapters/trust/trust-store.ts'),
  ])
  return openProject(folder, {
    onCreated: () => {
      const store = openTrustStore(trustFile(args))
      const { at = new Date().toISOString(), files = {} } = store.get(folder) ?? {}
      store.set(folder, { at, files: { ...files, [MEMORY_FILE]: MEMORY_MARK } })
    },
  })
}

async function trustedMemory(args: Args, folder: string): Promise<ProjectMemory | undefined> {
  const { trusted, files } = await findProject(args, folder)
  if (!trusted || !files.some(({ kind }) => kind === 'memory')) return undefined
  const { readMemory } = await import('../adapters/project/read-memory.ts')
  return readMemory(folder)
}
