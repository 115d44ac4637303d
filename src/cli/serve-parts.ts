import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { openFiles } from '../adapters/files/gateway.ts'
import type { Asset, ConfigReport, WorkspaceReader } from '../server/parts.ts'
import type { Args } from './args.ts'
import { packageRoot } from './package-root.ts'
import { findConfig } from './places.ts'

const MOST_ENTRIES = 1_000
const MOST_LINES = 20_000

/** Reads through the same gateway as the tools: no links, no way out. */
export const workspaceReader: WorkspaceReader = {
  async read(folder, path) {
    const files = openFiles(folder)
    const info = await files.stat(path)
    if ('refused' in info) return info
    if (info.kind === 'folder') {
      const found = await files.list(path, MOST_ENTRIES + 1)
      if ('refused' in found) return found
      const entries = found.slice(0, MOST_ENTRIES).map((entry) => ({
        name: entry.path.slice(entry.path.lastIndexOf('/') + 1),
        kind: entry.kind,
        size: entry.size,
      }))
      return { kind: 'folder', path, entries, truncated: found.length > MOST_ENTRIES }
    }
    const text = await files.read(path, { offset: 0, limit: MOST_LINES })
    if ('refused' in text) return text
    return { kind: 'file', path, text: text.text, size: text.size, truncated: text.truncated }
  },
}

/** Read anew each time, so that a page shows what is in the file now. */
export async function configReport(args: Args, folder: string): Promise<ConfigReport> {
  const file = findConfig(args, folder)
  if (!file) return { file: null, source: '', problems: [] }
  const [{ loadConfig }, { hideKeys }] = await Promise.all([
    import('../config/load.ts'),
    import('../config/hide-keys.ts'),
  ])
  const loaded = loadConfig(file)
  if (!loaded.ok) {
    const problems = loaded.problems.map(({ line, column, message, suggestion }) => ({
      ...{ line, column, message },
      ...(suggestion && { suggestion }),
    }))
    return { file, source: hideKeys(loaded.source), problems }
  }
  return { file, source: hideKeys(readFileSync(file, 'utf8')), problems: [] }
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** The files of the page, as they were built. */
export function readAssets(folder = join(packageRoot(), 'dist', 'web')): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (entry.isFile() && type && !entry.name.startsWith('.')) {
      assets.set(entry.name, { type, body: new Uint8Array(readFileSync(join(folder, entry.name))) })
    }
  }
  return assets
}
