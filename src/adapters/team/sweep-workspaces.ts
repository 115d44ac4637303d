import { readdir } from 'node:fs/promises'
import type { Journal } from '../../ports/journal.ts'
import type { Workspaces } from '../../ports/workspace.ts'
import { type RunId, isRunId } from '../../schema/ids.ts'

/** Removes what processes that were killed left of runs that are over. Mostly there is nothing to look at. */
export async function sweepWorkspaces(workspaces: Workspaces, root: string, journal: Journal): Promise<void> {
  const left = (await readdir(root).catch((): string[] => [])).filter((name) =>
    isRunId(name as RunId),
  ) as RunId[]
  if (left.length === 0) return
  const open = await Promise.all(left.map((run) => mayGoOn(run, journal)))
  await workspaces.sweep(new Set(left.filter((_, index) => open[index])))
}

/** A log that cannot be read says nothing, so nothing is removed. */
async function mayGoOn(run: RunId, journal: Journal): Promise<boolean> {
  try {
    const events = await journal.read(run)
    return events.length > 0 && !events.some(({ event }) => event.type === 'log.stored')
  } catch {
    return true
  }
}
