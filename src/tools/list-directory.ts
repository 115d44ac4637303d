import type { FileInfo, Files } from '../ports/files.ts'
import { showPath } from './show-path.ts'
import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

const MAX_ENTRIES = 500

export const listDirectory = defineTool({
  name: 'list_directory',
  read_only: true,
  description: 'List a folder: folders first, then files with their size.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The working folder if absent.' },
      depth: { type: 'integer', minimum: 1, maximum: 5, description: 'Levels to show, 1 if absent.' },
    },
    additionalProperties: false,
  },
  access: ({ path = '.' }, folder) => [{ kind: 'read', path: touchedPath(path, folder) }],
  async run({ path = '.', depth = 1 }, { files, signal }) {
    const top = await files.list(path, MAX_ENTRIES + 1)
    if ('refused' in top) return failed(top.refused)
    if (top.length === 0) return { success: true, output: '(the folder is empty)' }
    const lines: string[] = []
    await addEntries({ files, signal, lines, depth }, top, 1)
    if (lines.length > MAX_ENTRIES) {
      lines.length = MAX_ENTRIES
      lines.push(`… and more: stopped after ${MAX_ENTRIES} entries; list a folder of it, or with less depth`)
    }
    return { success: true, output: lines.join('\n') }
  },
})

interface Listing {
  files: Files
  signal: AbortSignal
  lines: string[]
  depth: number
}

async function addEntries(listing: Listing, entries: FileInfo[], level: number): Promise<void> {
  for (const entry of entries) {
    if (listing.lines.length > MAX_ENTRIES || listing.signal.aborted) return
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    listing.lines.push('  '.repeat(level - 1) + describe(name, entry))
    if (entry.kind !== 'folder' || level >= listing.depth || SKIPPED.has(name)) continue
    const inside = await listing.files.list(entry.path, MAX_ENTRIES + 1)
    if ('refused' in inside) listing.lines.push(`${'  '.repeat(level)}(${inside.refused})`)
    else await addEntries(listing, inside, level + 1)
  }
}

/** Shown, but not opened unless asked for by path: thousands of files nobody wrote. */
const SKIPPED = new Set(['.git', 'node_modules'])

function describe(name: string, entry: FileInfo): string {
  switch (entry.kind) {
    case 'folder':
      return `${showPath(name)}/`
    case 'file':
      return `${showPath(name)}  ${showSize(entry.size)}`
    case 'link':
      return `${showPath(name)}  (symbolic link)`
    case 'other':
      return `${showPath(name)}  (not a regular file)`
  }
}

function showSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
