import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Config } from '../schema/config.ts'
import type { LoadedConfig } from './load.ts'
import { readSource } from './read-source.ts'

/**
 * A config that was checked before is not checked again: its checked form is kept beside its text and our version, and
 * used when both are the same. That spares every start the YAML parser and the schema library.
 */
export async function loadCached(
  file: string,
  cache: { folder: string | undefined; version: string },
): Promise<LoadedConfig> {
  const read = readSource(file)
  if (!read.ok) return { ok: false, problems: [read.problem], source: '' }
  const { source } = read
  const { folder } = cache
  // Files of a build are named after their content, so another schema is another version.
  const version = `${cache.version} ${import.meta.url.slice(import.meta.url.lastIndexOf('/'))}`
  const kept = folder && `${folder}/config/${crc32(source)}.json`
  const known = kept && readKept(kept)
  if (known && known.source === source && known.version === version)
    return { ok: true, config: known.config, file }
  const loaded = (await import('./load.ts')).parseConfig(file, source)
  if (loaded.ok && kept) keep(kept, { version, source, config: loaded.config })
  return loaded
}

interface Kept {
  version: string
  source: string
  config: Config
}

function readKept(path: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    return undefined
  }
}

/** Whole or not at all, and not at all is fine. */
function keep(path: string, kept: Kept): void {
  try {
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${path}.${process.pid}`, path)
  } catch {
    // a cache that cannot be written is no cache
  }
}
