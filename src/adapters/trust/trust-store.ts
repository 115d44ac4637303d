import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface TrustedFolder {
  /** When the person agreed. */
  at: string
  /** Path from the folder to the SHA-256 of what the person agreed to. */
  files: Record<string, string>
}

export interface TrustStore {
  get(folder: string): TrustedFolder | undefined
  list(): [folder: string, trusted: TrustedFolder][]
  set(folder: string, trusted: TrustedFolder): void
  /** False when the folder was not trusted. */
  revoke(folder: string): boolean
}

/** One JSON file for the owner only. What cannot be read as such trusts nothing. */
export function openTrustStore(path: string): TrustStore {
  return {
    get: (folder) => read(path).get(folder),
    list: () => [...read(path)],
    set: (folder, trusted) => write(path, read(path).set(folder, trusted)),
    revoke(folder) {
      const all = read(path)
      const known = all.delete(folder)
      if (known) write(path, all)
      return known
    },
  }
}

function read(path: string): Map<string, TrustedFolder> {
  let stored: unknown
  try {
    stored = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return new Map()
  }
  const folders = isRecord(stored) && isRecord(stored['folders']) ? stored['folders'] : {}
  return new Map(
    Object.entries(folders).flatMap(([folder, trusted]): [string, TrustedFolder][] => {
      if (!isRecord(trusted) || !isRecord(trusted['files'])) return []
      const files = Object.entries(trusted['files']).filter((entry): entry is [string, string] => {
        return typeof entry[1] === 'string'
      })
      return [[folder, { at: String(trusted['at'] ?? ''), files: Object.fromEntries(files) }]]
    }),
  )
}

function write(path: string, folders: ReadonlyMap<string, TrustedFolder>): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(
    temporary,
    `${JSON.stringify({ version: 1, folders: Object.fromEntries(folders) }, null, 2)}\n`,
    {
      mode: 0o600,
    },
  )
  renameSync(temporary, path)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
