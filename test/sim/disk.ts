import type { Files } from '../../src/ports/files.ts'
import type { Refused } from '../../src/ports/files.ts'
import type { FileChange, WrittenFile } from '../../src/schema/observation.ts'
import type { Reach } from '../../src/schema/reach.ts'
import { hash } from './random.ts'

/** A write as it happened, for the invariants. */
export interface RecordedWrite {
  path: string
  /** The root of whoever wrote: a workspace, the person's folder. */
  root: string
  via: 'tool' | 'apply' | 'shell'
  content: string | null
  step: number
  /** How many of the run's events were stored then. */
  seq: number
}

/** The person's folder, and a place beside it that the config lets be written. */
export const FOLDER = '/home/person/project'
export const CONTEXT = '/home/person/notes'

/** The world's files, in memory, with a record of who wrote where and when. It outlives every process. */
export class Disk {
  readonly files = new Map<string, string>()
  readonly writes: RecordedWrite[] = []
  readonly #moment: () => { step: number; seq: number }

  constructor(moment: () => { step: number; seq: number }) {
    this.#moment = moment
  }

  put(path: string, content: string | null, by: { root: string; via: RecordedWrite['via'] }): WrittenFile {
    const change: FileChange = content === null ? 'deleted' : this.files.has(path) ? 'modified' : 'new'
    if (content === null) this.files.delete(path)
    else this.files.set(path, content)
    this.writes.push({ path, content, ...by, ...this.#moment() })
    return { path, change }
  }

  below(folder: string): Map<string, string> {
    const found = [...this.files].filter(([path]) => path.startsWith(`${folder}/`))
    return new Map(found.map(([path, content]) => [path.slice(folder.length + 1), content]))
  }

  clear(folder: string): void {
    for (const path of this.files.keys()) if (path.startsWith(`${folder}/`)) this.files.delete(path)
  }
}

/** The same rules as the real way to the files: what is not granted is refused. */
export function diskFiles(
  disk: Disk,
  granted: string | Reach,
  pause: (label: string) => Promise<void>,
): Files {
  const reach: Reach =
    typeof granted === 'string' ? { root: granted, root_access: 'write', context: [] } : granted
  const { root } = reach
  const places = [
    { path: root, permission: reach.root_access, protected_paths: [] as string[] },
    ...reach.context,
  ]
  const accessTo = (path: string): 'read' | 'write' | undefined => {
    const holding = places.filter((place) => path === place.path || path.startsWith(`${place.path}/`))
    const [narrowest] = holding.toSorted((a, b) => b.path.length - a.path.length)
    return narrowest?.protected_paths.some((kept) => path.startsWith(kept)) ? 'read' : narrowest?.permission
  }
  const locate = (path: string, access: 'read' | 'write'): { at: string } | Refused => {
    const at = normalise(path.startsWith('/') ? path : `${root}/${path}`)
    const given = accessTo(at)
    return given === 'write' || (given === 'read' && access === 'read')
      ? { at }
      : { refused: `${path} is not granted` }
  }
  const shown = (at: string): string => (at.startsWith(`${root}/`) ? at.slice(root.length + 1) : at)
  const look = async (path: string): Promise<{ at: string; text: string } | Refused> => {
    await pause(`read ${path}`)
    const place = locate(path, 'read')
    if ('refused' in place) return place
    const text = disk.files.get(place.at)
    return text === undefined ? { refused: `${path} does not exist` } : { at: place.at, text }
  }
  const fingerprint = (text: string): string => String(hash(text))
  return {
    root,
    async read(path) {
      const found = await look(path)
      if ('refused' in found) return found
      const { at, text } = found
      const known = { path: shown(at), text, size: text.length, fingerprint: fingerprint(text) }
      return { ...known, first_line: 0, total_lines: 1, truncated: false, valid_utf8: true }
    },
    async readWhole(path) {
      const found = await look(path)
      if ('refused' in found) return found
      const { at, text } = found
      return { path: shown(at), text, valid_utf8: true, fingerprint: fingerprint(text) }
    },
    async stat(path) {
      const found = await look(path)
      if ('refused' in found) return found
      const { at, text } = found
      return { path: shown(at), kind: 'file', size: text.length, fingerprint: fingerprint(text) }
    },
    async list() {
      return []
    },
    async write(path, text, { create }) {
      await pause(`write ${path}`)
      const place = locate(path, 'write')
      if ('refused' in place) return place
      if (create === disk.files.has(place.at))
        return { refused: `${path} ${create ? 'exists' : 'is not there'}` }
      const { change } = disk.put(place.at, text, { root, via: 'tool' })
      return { path: shown(place.at), change }
    },
    async delete(path) {
      await pause(`delete ${path}`)
      const place = locate(path, 'write')
      if ('refused' in place) return place
      if (!disk.files.has(place.at)) return { refused: `${path} is not there` }
      disk.put(place.at, null, { root, via: 'tool' })
      return { path: shown(place.at), change: 'deleted' }
    },
  }
}

function normalise(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
