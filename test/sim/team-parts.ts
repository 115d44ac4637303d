import type { TeamParts } from '../../src/ports/team.ts'
import type { ChangedFile, Snapshot, Workspace } from '../../src/ports/workspace.ts'
import type { RunId } from '../../src/schema/ids.ts'
import type { WrittenFile } from '../../src/schema/observation.ts'
import type { Disk } from './disk.ts'

/** What outlives a process: copies, snapshots, and what the writable places looked like. */
export interface Store {
  base: Map<RunId, Map<string, string>>
  workspaces: Map<string, Workspace>
  snapshots: Map<string, Snapshot & { files: Map<string, string> }>
  records: Map<string, Map<string, string>>
  /** How often each run's workspaces were removed. */
  closed: RunId[]
}

export const emptyStore = (): Store => ({
  base: new Map(),
  workspaces: new Map(),
  snapshots: new Map(),
  records: new Map(),
  closed: [],
})

/**
 * Workspaces and write tracking in memory. The real ones are tried elsewhere on real folders; here time is not real, so
 * what takes time cannot be either.
 */
export function simulatedTeam(
  disk: Disk,
  store: Store,
  pause: (label: string) => Promise<void>,
  refuses: (agent: string) => boolean,
): TeamParts {
  const key = (run_id: RunId, label: string): string => `${run_id}/${label}`
  return {
    workspaces: {
      own: (files) => files,
      async open({ run_id, agent_id, folder }) {
        await pause(`workspace ${agent_id}`)
        if (refuses(agent_id)) return { refused: 'there is no space left' }
        const base = store.base.get(run_id) ?? disk.below(folder)
        store.base.set(run_id, base)
        const known = store.workspaces.get(key(run_id, agent_id))
        if (known) return known
        const path = `/workspaces/${store.workspaces.size + 1}`
        for (const [name, content] of base) disk.files.set(`${path}/${name}`, content)
        const workspace = { run_id, agent_id, path, folder, shared_files: 0, linked: [] }
        store.workspaces.set(key(run_id, agent_id), workspace)
        return workspace
      },
      async snapshot({ run_id, agent_id, path }, label) {
        await pause(`snapshot ${label}`)
        const known = store.snapshots.get(key(run_id, label))
        if (known) return known
        const files = disk.below(path)
        const changed = compare(store.base.get(run_id) ?? new Map(), files)
        const changes = { files: changed, added: changed.length, removed: 0 }
        const snapshot = { run_id, agent_id, label, path: `/snapshots/${label}`, changes, notes: [], files }
        for (const [name, content] of files) disk.files.set(`${snapshot.path}/${name}`, content)
        store.snapshots.set(key(run_id, label), snapshot)
        return snapshot
      },
      async find(run_id, label) {
        await pause(`find ${label}`)
        return store.snapshots.get(key(run_id, label))
      },
      async diff({ changes }) {
        return changes.files.map(({ path, change }) => `${change} ${path}`).join('\n')
      },
      async apply({ run_id, label, changes }, { folder }) {
        const files = store.snapshots.get(key(run_id, label))?.files
        if (!files) return { refused: 'the snapshot is gone' }
        const written: WrittenFile[] = []
        for (const { path, change } of changes.files) {
          // A process can die between two files, and the next one finishes the work.
          for (const step of ['open', 'write', 'sync']) await pause(`apply ${path}: ${step}`)
          const content = files.get(path) ?? null
          if ((disk.files.get(`${folder}/${path}`) ?? null) !== content)
            disk.put(`${folder}/${path}`, content, { root: folder, via: 'apply' })
          written.push({ path, change })
        }
        return { written, conflicts: [] }
      },
      async reset(workspace, { run_id, label }) {
        await pause(`reset ${workspace.agent_id}`)
        const files = store.snapshots.get(key(run_id, label))?.files ?? new Map<string, string>()
        disk.clear(workspace.path)
        for (const [name, content] of files) disk.files.set(`${workspace.path}/${name}`, content)
        return workspace
      },
      async close(run_id) {
        await pause('close the workspaces')
        store.closed.push(run_id)
        store.workspaces.clear()
        store.snapshots.clear()
      },
      async sweep() {
        return 0
      },
    },
    writes: {
      async begin({ paths, record }) {
        await pause('look at the folder')
        if (!store.records.has(record)) store.records.set(record, watched(disk, paths))
        return undefined
      },
      async end({ record, folder }) {
        await pause('compare the folder')
        const before = store.records.get(record)
        if (!before) return { refused: 'nobody looked at the folder before' }
        const places = [
          folder,
          ...new Set([...before.keys()].map((path) => path.slice(0, path.lastIndexOf('/')))),
        ]
        const writes = compare(before, watched(disk, [...places, '/home/person/notes'])).map(
          ({ path, change }) => ({
            path: path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path,
            change,
          }),
        )
        return { writes, ...(writes.length > 0 && { footer: `Files written: ${writes.length}` }) }
      },
    },
    record: async (run_id) => `/records/${run_id}`,
  }
}

const watched = (disk: Disk, folders: readonly string[]): Map<string, string> =>
  new Map(
    [...disk.files].filter(
      ([path]) => folders.some((folder) => path.startsWith(`${folder}/`)) && !path.includes('/.conclave/'),
    ),
  )

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ChangedFile[] {
  const changed: ChangedFile[] = []
  for (const [path, content] of after) {
    const was = before.get(path)
    if (was !== content)
      changed.push({ path, change: was === undefined ? 'new' : 'modified', added: 1, removed: 0 })
  }
  for (const path of before.keys())
    if (!after.has(path)) changed.push({ path, change: 'deleted', added: 0, removed: 1 })
  return changed.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
