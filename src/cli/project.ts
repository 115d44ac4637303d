import { dirname, join } from 'node:path'
import type { ProjectFile } from '../adapters/trust/project-files.ts'
import { findProjectFiles } from '../adapters/trust/project-files.ts'
import { type HashedFile, type TrustGap, findTrustGaps } from '../core/trust/compare-trust.ts'
import type { ProjectContext } from '../ports/project.ts'
import type { Args } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findFolder, findJournal } from './places.ts'

export interface Project {
  files: (ProjectFile & HashedFile)[]
  /** Nothing of the project may be used while it is false. */
  trusted: boolean
  /** What the person has not agreed to. */
  gaps: TrustGap[]
}

/** What a folder wants to have a say in, and whether the person agreed to exactly that. A folder without any is trusted. */
export async function findProject(args: Args, folder: string): Promise<Project> {
  const found = findProjectFiles(folder)
  if (found.length === 0) return { files: [], trusted: true, gaps: [] }
  const [{ hash }, { openTrustStore }] = await Promise.all([
    import('node:crypto'),
    import('../adapters/trust/trust-store.ts'),
  ])
  // What could not be read has a hash that nobody can have agreed to.
  const files = found.map((file) => ({
    ...file,
    sha256: file.kind === 'memory' ? MEMORY_MARK : file.bytes ? hash('sha256', file.bytes) : '',
  }))
  const gaps = findTrustGaps(openTrustStore(trustFile(args)).get(folder)?.files ?? {}, files)
  return { files, trusted: gaps.length === 0 || trustedThisOnce(args, folder), gaps }
}

/** Stands for whatever the notes of a project say. */
export const MEMORY_MARK = 'any'

export const trustFile = (args: Args): string => join(dirname(findJournal(args)), 'trust.json')

/** The flag is about the folder one starts in, not about that of another chat. */
const trustedThisOnce = (args: Args, folder: string): boolean =>
  (args.has('trust') || process.env['CONCLAVE_TRUST'] === '1') && folder === findFolder(args)

/**
 * Settings and hooks decide what runs and where keys go, and what was agreed to and has changed must be looked at again:
 * such a start is refused. Instructions nobody agreed to yet are just left out.
 */
export function mustBeTrusted({ gaps, files }: Project): boolean {
  return gaps.some(({ path, why }) => {
    const kind = files.find((file) => file.path === path)?.kind
    return why === 'changed' || kind === 'settings' || kind === 'hook'
  })
}

export function untrusted(folder: string, { gaps }: Project): Exit {
  const lines = gaps.map(
    ({ path, why }) => `  ${path} (${why === 'new' ? 'not trusted yet' : 'changed since'})`,
  )
  return new Exit(
    exitCodes.untrusted,
    `${folder} is not trusted, so nothing of it was loaded:\n${lines.join('\n')}\n` +
      'Look at these files. Then: conclave trust, or once: --trust, or with a config of your own: --config <file>',
  )
}

/** Loads what a folder tells its agents, once; nothing while it is not trusted. */
export function projectLoader(args: Args): (folder: string) => Promise<ProjectContext | undefined> {
  const loaded = new Map<string, Promise<ProjectContext | undefined>>()
  return (folder) => {
    const project = loaded.get(folder) ?? load(args, folder)
    loaded.set(folder, project)
    return project
  }
}

async function load(args: Args, folder: string): Promise<ProjectContext | undefined> {
  const { files, trusted } = await findProject(args, folder)
  if (!trusted || !files.some(({ kind }) => kind === 'instructions' || kind === 'skill')) return undefined
  const { projectContext } = await import('../adapters/instructions/project-context.ts')
  return projectContext(files)
}
