import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Where our own plans go: the one place that may change in Plan mode. */
const OURS = '.conclave/plans'

/** Every entry of a folder with its kind, mode, inode, times and content: equal only if nothing was touched. */
export function watchedTree(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (path: string) => {
    if (path === OURS) return
    const whole = join(folder, path)
    const { mode, ino, mtimeNs, ctimeNs, size } = lstatSync(whole, { bigint: true })
    const info = lstatSync(whole)
    const kind = info.isDirectory()
      ? 'folder'
      : info.isSymbolicLink()
        ? 'link'
        : info.isFile()
          ? 'file'
          : 'other'
    const content = kind === 'file' ? sha256(readFileSync(whole)) : kind === 'link' ? readlinkSync(whole) : ''
    found[path || '.'] = [kind, mode.toString(8), ino, mtimeNs, ctimeNs, size, content].join(' ')
    if (kind === 'folder')
      for (const name of readdirSync(whole).sort()) visit(path ? `${path}/${name}` : name)
  }
  visit('')
  return found
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
