import type { Blobs, FolderChanges } from '../../ports/undo.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import { runGit } from '../git/git.ts'
import type { WatchedPlace } from './folder-watch.ts'

/** More than these are counted, not listed: a log is no place for a build's output. */
const MAX_LISTED = 1_000
const MAX_BYTES = 256 * 1024 * 1024

interface Change {
  path: string
  change: WrittenFile['change']
  /** Whether it could be run before; absent when that did not change. Git knows no more of the rights than this. */
  ran?: boolean
  old_id: string
  new_id: string
  /** A link or a repository on either side: listed, but not undone. */
  special: boolean
}

/** What differs between two trees. The old bytes are put into the store, so that they outlive the trees. */
export async function readChanges(
  place: WatchedPlace,
  before: string,
  after: string,
  blobs: Blobs,
): Promise<FolderChanges | { problem: string }> {
  const raw = await runGit(place, [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    before,
    after,
  ])
  if (!raw.ok) return raw
  const all = parseRaw(raw.output.toString('utf8')).filter(({ path }) => path.startsWith(place.prefix))
  const listed = all.slice(0, MAX_LISTED)
  const wanted = listed
    .flatMap(({ old_id, new_id, special }) => (special ? [] : [old_id, new_id]))
    .filter(isId)
  const contents = await readObjects(place, [...new Set(wanted)])
  if ('problem' in contents) return contents
  const files: WrittenFile[] = []
  for (const item of listed) files.push(await describe(item, place.prefix, contents, blobs))
  if (all.length === listed.length) return { files }
  return {
    files,
    note: `(${all.length} files were changed; those after the first ${MAX_LISTED} cannot be undone)`,
  }
}

async function describe(
  { path, change, ran, old_id, new_id, special }: Change,
  prefix: string,
  contents: Map<string, Buffer>,
  blobs: Blobs,
): Promise<WrittenFile> {
  const file: WrittenFile = { path: path.slice(prefix.length), change }
  if (special) return file
  const old = contents.get(old_id)
  const fresh = contents.get(new_id)
  const before = change === 'new' ? null : old && (await blobs.keep(old))
  const after = change === 'deleted' ? null : fresh && (await blobs.hash(fresh))
  if (before === undefined || after === undefined) return file
  return {
    ...file,
    before,
    ...(before !== null && ran !== undefined && { before_mode: ran ? 0o755 : 0o644 }),
    after,
  }
}

/** Records of `:old-mode new-mode old-id new-id status` NUL `path` NUL. */
function parseRaw(text: string): Change[] {
  const fields = text.split('\0')
  const changes: Change[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [old_mode = '', new_mode = '', old_id = '', new_id = '', status] = (fields[at] ?? '')
      .slice(1)
      .split(' ')
    changes.push({
      path: fields[at + 1] ?? '',
      change: status === 'A' ? 'new' : status === 'D' ? 'deleted' : 'modified',
      ...(old_mode !== new_mode && { ran: old_mode === '100755' }),
      old_id,
      new_id,
      special: [old_mode, new_mode].some((mode) => !['000000', '100644', '100755'].includes(mode)),
    })
  }
  return changes
}

const isId = (id: string): boolean => /[1-9a-f]/u.test(id)

async function readObjects(
  place: WatchedPlace,
  ids: string[],
): Promise<Map<string, Buffer> | { problem: string }> {
  const contents = new Map<string, Buffer>()
  if (ids.length === 0) return contents
  const input = ids.map((id) => `${id}\n`).join('')
  const read = await runGit(place, ['cat-file', '--batch'], { input, max_bytes: MAX_BYTES })
  if (!read.ok) return read
  let at = 0
  while (at < read.output.length) {
    const end = read.output.indexOf(10, at)
    const [id = '', type, size] = read.output.toString('latin1', at, end).split(' ')
    if (type !== 'blob') return { problem: `git lost the object ${id}` }
    contents.set(id, read.output.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return contents
}
