import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Containers } from '../../ports/container.ts'
import type { Journal } from '../../ports/journal.ts'
import type { TeamParts } from '../../ports/team.ts'
import type { Blobs } from '../../ports/undo.ts'
import { trackWrites } from '../workspace/track-writes.ts'
import { openWorkspaces } from '../workspace/workspaces.ts'
import { sweepWorkspaces } from './sweep-workspaces.ts'

export interface TeamOptions {
  data: string
  blobs: Blobs
  /** Knows which runs may still go on; what is left of others is removed. */
  journal?: Journal
  /** Where the agents' commands run, if not on this machine itself. */
  containers?: Containers
}

/** Workspaces and what goes with them, below the data folder. */
export async function openTeam({ data, blobs, journal, containers }: TeamOptions): Promise<TeamParts> {
  const root = join(data, 'workspaces')
  const workspaces = openWorkspaces({ root, blobs })
  if (journal) await sweepWorkspaces(workspaces, root, journal)
  const docker = containers && (await import('../docker/team-containers.ts'))
  return {
    workspaces,
    writes: trackWrites(),
    async record(run_id) {
      const folder = join(root, run_id)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return join(folder, 'writes.json')
    },
    ...(containers && docker?.teamContainers(containers)),
  }
}
