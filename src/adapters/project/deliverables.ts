import type { Files, Refused } from '../../ports/files.ts'
import type { Deliverable } from '../../ports/project.ts'
import type { RunId } from '../../schema/ids.ts'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import { rootOpener } from '../files/gateway.ts'
import { withFile } from '../files/leaf.ts'
import { pathNames } from '../files/path-names.ts'
import { errnoOf, refusing } from '../files/refusal.ts'
import { replaceFile } from '../files/replace-file.ts'
import { inFolder } from '../files/walk.ts'
import { readJson } from './read-json.ts'

export interface DeliverableInput {
  run_id: RunId
  name: string
  bytes: Uint8Array
  at: string
}

export const INDEX = '.conclave/deliverables/index.json'
const FOLDER = ['.conclave', 'deliverables']
/** Other names are tried up to this one. */
const MOST_NAMES = 100
const ATTEMPTS = 5

/** Stores the bytes, then notes their origin. A file that could be stored but not noted is said to be so. */
export async function addDeliverable(
  files: Files,
  input: DeliverableInput,
): Promise<{ path: string; problem?: string } | { problem: string }> {
  const stored = await store(files.root, input)
  if ('refused' in stored) return { problem: stored.refused }
  const { path } = stored
  const entry = { path, run_id: input.run_id, at: input.at, bytes: input.bytes.length }
  const problem = await note(files, entry)
  return problem === undefined ? { path } : { path, problem }
}

/** Notes the origin of a file that an agent has put there itself. */
export async function noteDeliverable(
  files: Files,
  { run_id, path, at }: { run_id: RunId; path: string; at: string },
): Promise<{ path: string } | { problem: string }> {
  const there = await files.stat(path)
  if ('refused' in there) return { problem: there.refused }
  const inside = path.startsWith(`${FOLDER.join('/')}/`) && path !== INDEX
  if (there.kind !== 'file' || !inside) return { problem: `${path} is no deliverable` }
  const problem = await note(files, { path, run_id, at, bytes: there.size })
  return problem === undefined ? { path } : { problem }
}

/** The entries of the index that make sense, oldest first. */
export function readEntries(index: Record<string, unknown>): Deliverable[] {
  const entries: unknown = index['deliverables']
  return Array.isArray(entries) ? entries.filter(isEntry) : []
}

const store = (root: string, { name, bytes }: DeliverableInput): Promise<{ path: string } | Refused> =>
  refusing(name, async (): Promise<{ path: string } | Refused> => {
    const { absolute, names } = pathNames(name)
    const leaf = names.at(-1)
    if (absolute || leaf === undefined) return { refused: `${JSON.stringify(name)} is no name of a file` }
    const what = protectedPath([...FOLDER, ...names].join('/'))
    if (what) return { refused: `${JSON.stringify(name)} is protected: ${what} are no deliverables` }
    const folders = [...FOLDER, ...names.slice(0, -1)]
    return inFolder(rootOpener(), root, folders, { create_from: 0 }, async (folder) => {
      for (let number = 1; number <= MOST_NAMES; number++) {
        const tried = numbered(leaf, number)
        const path = [...folders, tried].join('/')
        if (path === INDEX) continue
        try {
          await replaceFile(folder, tried, Buffer.from(bytes), undefined)
          return { path }
        } catch (error) {
          if (errnoOf(error) !== 'EEXIST') throw error
        }
        const same = await withFile(folder, [tried], 'read', async (handle, info) =>
          Number(info.size) === bytes.length ? (await handle.readFile()).equals(bytes) : false,
        ).catch(() => false)
        if (same) return { path }
      }
      return { refused: `${MOST_NAMES} deliverables are called ${JSON.stringify(name)} already` }
    })
  })

/** `report.md`, `report-2.md`, … */
function numbered(name: string, number: number): string {
  if (number === 1) return name
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)}-${number}${name.slice(dot)}` : `${name}-${number}`
}

/** Somebody else may write the index at the same time: then it is read again. */
async function note(files: Files, entry: Deliverable): Promise<string | undefined> {
  let refused = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const index = await readJson(files, INDEX)
    if ('problem' in index) return index.problem
    const known = 'value' in index ? index.value : {}
    const entries = [...(Array.isArray(known['deliverables']) ? known['deliverables'] : []), entry]
    const text = `${JSON.stringify({ ...known, deliverables: entries }, null, 2)}\n`
    const options = 'value' in index ? { create: false, fingerprint: index.fingerprint } : { create: true }
    const written = await files.write(INDEX, text, options)
    if (!('refused' in written)) return undefined
    refused = written.refused
  }
  return `${entry.path} is stored, but not in the index: ${refused}`
}

function isEntry(value: unknown): value is Deliverable {
  if (typeof value !== 'object' || value === null) return false
  const { path, run_id, at } = value as Record<string, unknown>
  return typeof path === 'string' && typeof run_id === 'string' && typeof at === 'string'
}
