import { chmod, mkdir, open, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pictures } from '../../ports/pictures.ts'
import type { Blobs } from '../../ports/undo.ts'
import { sweepOld } from './sweep-old.ts'

/** Larger files are changed without a way back. */
const MAX_BLOB_BYTES = 10_000_000

/**
 * Bytes under their SHA-256 in one folder, for the owner only. What was not needed for a month is swept, unless it is to
 * stay.
 */
export function openBlobStore(folder: string, { sweep = true } = {}): Blobs & Pictures {
  let ready: Promise<void> | undefined
  const prepare = (): Promise<void> => {
    ready ??= mkdir(folder, { recursive: true, mode: 0o700 })
      .then(() => chmod(folder, 0o700))
      .then(async () => {
        if (sweep) await sweepOld(folder)
      })
    return ready
  }

  return {
    async keep(bytes) {
      if (bytes.length > MAX_BLOB_BYTES) return undefined
      const name = await sha256(bytes)
      try {
        await prepare()
        await put(join(folder, name), bytes)
        return name
      } catch {
        ready = undefined
        return undefined
      }
    },

    async read(name) {
      if (!isName(name)) return undefined
      const bytes = await readFile(join(folder, name)).catch(() => undefined)
      // A damaged blob must not replace anybody's file.
      return bytes && (await sha256(bytes)) === name ? bytes : undefined
    },

    async forget(name) {
      if (isName(name)) await rm(join(folder, name), { force: true })
    },

    hash: sha256,
  }
}

const isName = (name: string): boolean => /^[0-9a-f]{64}$/u.test(name)

async function sha256(bytes: Uint8Array): Promise<string> {
  const { hash } = await import('node:crypto')
  return hash('sha256', bytes, 'hex')
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  const now = new Date()
  const known = await stat(path).catch(() => undefined)
  if (known?.size === bytes.length) return utimes(path, now, now)
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.datasync()
    await handle.close()
    await rename(temporary, path)
  } catch (error) {
    await handle.close().catch(() => {})
    await unlink(temporary).catch(() => {})
    throw error
  }
}
