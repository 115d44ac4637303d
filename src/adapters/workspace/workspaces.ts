import { realpathSync, statSync } from 'node:fs'
import { mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refused } from '../../ports/files.ts'
import type { Blobs } from '../../ports/undo.ts'
import type { Workspace, Workspaces } from '../../ports/workspace.ts'
import type { RunId } from '../../schema/ids.ts'
import { applyChanges } from './apply-changes.ts'
import { atMost } from './at-most.ts'
import { type Base, type BaseLimits, makeBase, openBase } from './base.ts'
import { buildWorkspace, readStamps } from './build-workspace.ts'
import { toText } from './byte-path.ts'
import { findChanges } from './find-changes.ts'
import { freeze, readSnapshot } from './freeze.ts'
import { ownBeforeWriting } from './own-before-writing.ts'
import { removeRun } from './remove-run.ts'
import { removeTree } from './remove-tree.ts'
import { type RunFolder, isOwned, runFolder, takeRun, treeName } from './run-folder.ts'
import { type Verified, mendShared } from './shared-files.ts'
import { showDiff } from './text-diff.ts'
import { TooManyFiles } from './walk-tree.ts'

const LIMITS: WorkspaceLimits = {
  files: 500_000,
  bytes: 20_000_000_000,
  copied_bytes: 4_000_000_000,
  changed_bytes: 1_000_000_000,
}
const DIFF_CHARACTERS = 200_000
const AGENTS = 8
const KEPT_MS = 30 * 86_400_000

export interface WorkspaceLimits extends BaseLimits {
  /** Bytes of changed files in one snapshot. */
  changed_bytes: number
}

export interface WorkspaceOptions {
  /** Where the copies are: below the data folder, never in the user's. */
  root: string
  /** Gets the old bytes of what `apply` replaces. */
  blobs: Blobs
  limits?: Partial<WorkspaceLimits>
}

export function openWorkspaces({ root, blobs, limits: given }: WorkspaceOptions): Workspaces {
  const limits = { ...LIMITS, ...given }
  const bases = new Map<RunId, Promise<Base | Refused>>()
  const verified = new Map<RunId, Verified>()
  const busy = new Map<string, Promise<unknown>>()
  const onDisk = atMost(4)

  /** One piece of work on a thing at a time. */
  const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (busy.get(key) ?? Promise.resolve()).then(work, work)
    const quiet = result.catch(() => {})
    busy.set(key, quiet)
    void quiet.then(() => busy.get(key) === quiet && busy.delete(key))
    return result
  }

  const ready = async (run_id: RunId): Promise<{ run: RunFolder; base: Base } | Refused> => {
    const run = runFolder(root, run_id)
    if (!run) return { refused: `${JSON.stringify(run_id)} is not the id of a run` }
    const base = await (bases.get(run_id) ?? openBase(run.base))
    if (!base) return { refused: `the run ${run_id} has no workspaces any more` }
    return 'refused' in base ? base : { run, base }
  }

  /** Made once for a run, however many ask at the same time. */
  const baseOf = (run_id: RunId, run: RunFolder, folder: string, agents: number): Promise<Base | Refused> => {
    const known = bases.get(run_id)
    if (known) return known
    const made = (async () => {
      const found = await openBase(run.base)
      return found ?? makeBase({ path: run.base, folder, ours: root, agents, limits })
    })()
    bases.set(run_id, made)
    const forget = (): void => void bases.delete(run_id)
    void made.then((base) => 'refused' in base && forget(), forget)
    return made
  }

  return {
    open: ({ run_id, agent_id, folder: given, agents = AGENTS }) =>
      refusing(async () => {
        const run = runFolder(root, run_id)
        if (!run) return { refused: `${JSON.stringify(run_id)} is not the id of a run` }
        const folder = await realpath(given)
        await takeRun(run)
        await mkdir(join(run.path, 'agents'), { recursive: true, mode: 0o700 })
        const base = await baseOf(run_id, run, folder, Math.max(1, agents))
        if ('refused' in base) return base
        if (base.folder !== folder)
          return { refused: `the run ${run_id} works in ${base.folder}, not in ${folder}` }
        const place = run.agent(agent_id)
        const problem = await inTurn(place, async () =>
          (await readStamps(place)) ? undefined : onDisk(() => buildWorkspace(base, place)),
        )
        if (problem !== undefined) return { refused: `no workspace for ${agent_id}: ${problem}` }
        return workspaceAt(place, { run_id, agent_id }, base)
      }),

    own: ownBeforeWriting,

    snapshot: (workspace, label) =>
      inTurn(`${workspace.run_id} ${label}`, () =>
        refusing(async () => {
          const found = await ready(workspace.run_id)
          if ('refused' in found) return found
          const { run, base } = found
          const place = run.snapshot(label)
          const known = await readSnapshot(place, base.folder)
          if (known) return known.snapshot
          await mkdir(join(run.path, 'snapshots'), { recursive: true, mode: 0o700 })
          const notes = await inTurn(`${workspace.run_id} shared`, () => mend(workspace.run_id, run, base))
          const stamps = await readStamps(run.agent(workspace.agent_id))
          if (!stamps) return { refused: `the workspace of ${workspace.agent_id} is gone; open it again` }
          const changes = await findChanges(base, workspace.path, stamps, limits.files)
          const refused = await onDisk(() =>
            freeze({
              base,
              workspace: workspace.path,
              found: changes,
              place,
              about: { run_id: workspace.run_id, agent_id: workspace.agent_id, label },
              notes,
              most_bytes: limits.changed_bytes,
            }),
          )
          if (refused) return refused
          const frozen = await readSnapshot(place, base.folder)
          return frozen?.snapshot ?? { refused: `the snapshot ${label} is gone; take it again` }
        }),
      ),

    async find(run_id, label) {
      const found = await ready(run_id)
      if ('refused' in found) return undefined
      return (await readSnapshot(found.run.snapshot(label), found.base.folder))?.snapshot
    },

    async diff(snapshot, max_characters = DIFF_CHARACTERS) {
      const found = await ready(snapshot.run_id)
      if ('refused' in found) return `[no diff: ${found.refused}]\n`
      const stored = (await readSnapshot(found.run.snapshot(snapshot.label), found.base.folder))?.stored
      if (!stored) return `[no diff: the snapshot ${snapshot.label} is gone]\n`
      return showDiff(found.base, stored.changes, stored.trees, max_characters)
    },

    apply: (snapshot, request) =>
      inTurn(`${snapshot.run_id} apply`, () =>
        refusing(async () => {
          const found = await ready(snapshot.run_id)
          if ('refused' in found) return found
          const { run, base } = found
          const folder = await realpath(request.folder)
          if (folder !== base.folder) return { refused: `the run worked on ${base.folder}, not on ${folder}` }
          const known = await readSnapshot(run.snapshot(snapshot.label), base.folder)
          if (!known) return { refused: `the snapshot ${snapshot.label} is gone` }
          return applyChanges({
            base,
            snapshot: known.snapshot.path,
            changes: known.stored.changes,
            folder,
            conflicts: request.conflicts,
            ...(request.leave && { leave: request.leave }),
            journal: run.apply(snapshot.label),
            blobs,
          })
        }),
      ),

    reset: (workspace, to) =>
      refusing(async () => {
        const found = await ready(workspace.run_id)
        if ('refused' in found) return found
        const { run, base } = found
        const known = await readSnapshot(run.snapshot(to.label), base.folder)
        if (!known) return { refused: `the snapshot ${to.label} is gone` }
        const place = run.agent(workspace.agent_id)
        const { changes, gone_folders } = known.stored
        const layer = { tree: known.snapshot.path, changes, gone_folders }
        const problem = await inTurn(place, () => onDisk(() => buildWorkspace(base, place, layer)))
        if (problem !== undefined) return { refused: `no workspace for ${workspace.agent_id}: ${problem}` }
        return workspaceAt(place, workspace, base)
      }),

    async close(run_id, keep) {
      const run = runFolder(root, run_id)
      if (!run) return
      await Promise.all([...busy].filter(([key]) => key.includes(run_id)).map(([, work]) => work))
      bases.delete(run_id)
      verified.delete(run_id)
      await removeRun(run, keep === 'nothing' ? [] : keep)
    },

    async sweep(resumable) {
      let removed = 0
      for (const name of await readdir(root).catch(() => [])) {
        const run = runFolder(root, name as RunId)
        if (!run || resumable.has(name as RunId) || (await isOwned(run))) continue
        const kept = await stat(run.kept).catch(() => undefined)
        if (kept && Date.now() - kept.mtimeMs < KEPT_MS) continue
        await removeTree(run.path)
        removed += 1
      }
      return removed
    },
  }

  async function mend(run_id: RunId, run: RunFolder, base: Base): Promise<string[]> {
    if (base.shared.size === 0) return []
    const known = verified.get(run_id) ?? new Map<string, string>()
    verified.set(run_id, known)
    const agents = await readdir(join(run.path, 'agents'))
    const places = agents.map((name) => join(run.path, 'agents', name, treeName(base.folder)))
    return (await mendShared(base, places, known)).map(
      (path) =>
        `put back: ${JSON.stringify(path)} is shared by all agents and was changed in place; replace it instead`,
    )
  }
}

const workspaceAt = (
  place: string,
  { run_id, agent_id }: Pick<Workspace, 'run_id' | 'agent_id'>,
  base: Base,
): Workspace => ({
  run_id,
  agent_id,
  path: join(place, treeName(base.folder)),
  folder: base.folder,
  shared_files: base.shared.size,
  linked: base.dependencies.map(toText),
  needs: [...base.dependencies.map(toText), '.git/objects']
    .map((path) => join(base.folder, path))
    .filter(isRealFolder),
})

/** Not one that a link leads to. */
function isRealFolder(path: string): boolean {
  try {
    return realpathSync.native(path) === path && statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What the file system says becomes a refusal; a bug still throws. */
async function refusing<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TooManyFiles) {
      return { refused: 'the workspace has too many files; remove what is not part of the work' }
    }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined || !('syscall' in (error as object))) throw error
    return { refused: `the workspaces could not be used: ${message}` }
  }
}
