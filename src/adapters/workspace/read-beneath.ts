import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { read } from 'node:fs'
import { promisify } from 'node:util'
import { type BytePath, nameOf, parentOf, toBytes } from './byte-path.ts'
import { inFolder, kindOf } from './walk-tree.ts'

const CHUNK = 1024 * 1024
const readChunk = promisify(read)

export type Found =
  | { kind: 'file'; size: number; mode: number }
  | { kind: 'link'; target: Buffer }
  | { kind: 'folder' | 'other' }

/** What is at a path below a root, no link on the way followed; undefined when nothing is. */
export function lookBeneath(root: BytePath, path: BytePath): Found | undefined {
  return inFolder(root, parentOf(path), (folder): Found | undefined => {
    const at = toBytes(`${folder}/${nameOf(path)}`)
    const info = lstatSync(at, { bigint: true, throwIfNoEntry: false })
    if (!info) return undefined
    const kind = kindOf(info)
    if (kind === 'link') return { kind, target: readlinkSync(at, 'buffer') }
    if (kind === 'file') return { kind, size: Number(info.size), mode: Number(info.mode) & 0o777 }
    return { kind: kind ?? 'other' }
  })
}

/** Works with the bytes of a regular file below a root; undefined when it is none, or may not be read. */
async function withBytes<T>(
  root: BytePath,
  path: BytePath,
  work: (next: () => Promise<Buffer>, info: BigIntStats) => Promise<T>,
): Promise<T | undefined> {
  const opened = inFolder(root, parentOf(path), (folder) => {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
    try {
      return openSync(toBytes(`${folder}/${nameOf(path)}`), flags)
    } catch {
      return undefined
    }
  })
  if (opened === undefined) return undefined
  try {
    const info = fstatSync(opened, { bigint: true })
    if (!info.isFile()) return undefined
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, Number(info.size) + 1)))
    const next = async (): Promise<Buffer> => {
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await readChunk(opened, buffer, filled, buffer.length - filled, null)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    }
    return await work(next, info)
  } finally {
    closeSync(opened)
  }
}

export const readBeneath = (root: BytePath, path: BytePath, most = Infinity): Promise<Buffer | undefined> =>
  withBytes(root, path, async (next) => {
    const parts: Buffer[] = []
    let size = 0
    for (let part = await next(); part.length > 0; part = await next()) {
      size += part.length
      if (size > most) return undefined
      parts.push(Buffer.from(part))
    }
    return Buffer.concat(parts)
  })

export async function hashBeneath(root: BytePath, path: BytePath): Promise<string | undefined> {
  const { createHash } = await import('node:crypto')
  return withBytes(root, path, async (next) => {
    const hash = createHash('sha256')
    for (let part = await next(); part.length > 0; part = await next()) hash.update(part)
    return hash.digest('hex')
  })
}

/** The bytes and, of the rights, whether it can be run. */
export async function copyBeneath(root: BytePath, path: BytePath, to: BytePath): Promise<boolean> {
  const copied = await withBytes(root, path, async (next, info) => {
    const mode = (Number(info.mode) & 0o100) === 0 ? 0o644 : 0o755
    const target = await open(toBytes(to), 'wx', mode)
    try {
      for (let part = await next(); part.length > 0; part = await next()) await target.writeFile(part)
      await target.chmod(mode)
      await target.utimes(Number(info.atimeMs) / 1000, Number(info.mtimeMs) / 1000)
    } finally {
      await target.close()
    }
    return true
  })
  return copied ?? false
}

/** Whether the same thing is at one path below two roots: bytes, and whether it can be run. */
export async function sameBeneath(one: BytePath, other: BytePath, path: BytePath): Promise<boolean> {
  const [a, b] = [lookBeneath(one, path), lookBeneath(other, path)]
  if (!a || !b) return a === b
  if (a.kind === 'link') return b.kind === 'link' && a.target.equals(b.target)
  if (a.kind !== 'file' || b.kind !== 'file') return false
  if (a.size !== b.size || runs(a.mode) !== runs(b.mode)) return false
  const same = await withBytes(one, path, (nextA) =>
    withBytes(other, path, async (nextB) => {
      for (;;) {
        const [left, right] = [await nextA(), await nextB()]
        if (!left.equals(right)) return false
        if (left.length === 0) return true
      }
    }),
  )
  return same ?? false
}

export const runs = (mode: number): boolean => (mode & 0o100) !== 0
