import { lstatSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { Reach } from '../../schema/reach.ts'

/** A path with rights of its own in the sandbox. Those further down the list lie on top of those above. */
export interface Layer {
  path: string
  access: 'read' | 'write'
}

export interface Ground {
  layers: Layer[]
  /** Paths that may not be written and are not there: what a command makes there is set aside. */
  absent: string[]
}

/**
 * What a command may use of a reach, outermost first. Every path is looked at anew: one that has become a link since it
 * was granted is refused, and a writable one that is not there yet is made.
 */
export function layReach(reach: Reach, access: 'read' | 'write'): Ground | { problem: string } {
  const rights = new Map<string, 'read' | 'write'>()
  const grant = (path: string, wanted: 'read' | 'write'): void => {
    const known = rights.get(path)
    rights.set(path, access === 'read' || wanted === 'read' || known === 'read' ? 'read' : 'write')
  }
  grant(reach.root, reach.root_access)
  for (const { path, permission, protected_paths } of reach.context) {
    grant(path, permission)
    for (const spared of protected_paths) grant(spared, 'read')
  }
  const layers: Layer[] = []
  const absent: string[] = []
  for (const [path, allowed] of [...rights].sort(([a], [b]) => depth(a) - depth(b))) {
    const found = look(path, allowed === 'write')
    if (typeof found === 'object') return found
    if (found === 'there') layers.push(...pins(path, allowed, layers), { path, access: allowed })
    else if (mayWrite(layers, path)) absent.push(path)
  }
  return { layers: layers.sort((a, b) => depth(a.path) - depth(b.path)), absent }
}

/** Whether the narrowest layer that holds the path lets it be written. */
export function mayWrite(layers: readonly Layer[], path: string): boolean {
  return layers.findLast((layer) => isWithin(path, layer.path))?.access === 'write'
}

/** Writable folders that are in no other writable one. */
export function writableFolders(layers: readonly Layer[]): string[] {
  const writable = layers.filter(({ access }) => access === 'write').map(({ path }) => path)
  return writable.filter(
    (path) =>
      lstatSync(path, { throwIfNoEntry: false })?.isDirectory() &&
      !writable.some((other) => other !== path && isWithin(path, other)),
  )
}

/** Sets aside what a command made where nothing may be written; says so. */
export function setAside(absent: readonly string[]): string[] {
  return absent.flatMap((path) => {
    if (!lstatSync(path, { throwIfNoEntry: false })) return []
    const target = `${path}.blocked-${randomUUID().slice(0, 8)}`
    try {
      if (realpathSync.native(dirname(path)) !== dirname(path)) return []
      renameSync(path, target)
      return [`a command may not make ${path}, which may not be written; it is now ${basename(target)}`]
    } catch (error) {
      return [`a command made ${path}, which may not be written: ${(error as Error).message}`]
    }
  })
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

function look(path: string, make: boolean): 'there' | 'absent' | { problem: string } {
  try {
    return realpathSync.native(path) === path ? 'there' : becameLink(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A link that leads nowhere is there all the same.
    const gone = code === 'ENOENT' && !lstatSync(path, { throwIfNoEntry: false })
    if (!gone) return { problem: `${JSON.stringify(path)} cannot be used: ${message}` }
  }
  if (!make) return 'absent'
  try {
    if (realpathSync.native(dirname(path)) !== dirname(path)) return becameLink(dirname(path))
    mkdirSync(path)
    return 'there'
  } catch (error) {
    return {
      problem: `${JSON.stringify(path)} does not exist and cannot be made: ${(error as Error).message}`,
    }
  }
}

const becameLink = (path: string): { problem: string } => ({
  problem: `${JSON.stringify(path)} is or goes through a symbolic link now, which it did not before`,
})

/**
 * What is only read below something writable must not be moved away with the folder it is in. A mount point cannot be
 * moved, so each folder on the way becomes one.
 */
function pins(path: string, access: 'read' | 'write', layers: readonly Layer[]): Layer[] {
  const around = layers.findLast((layer) => isWithin(path, layer.path))
  if (access === 'write' || around?.access !== 'write') return []
  const found: Layer[] = []
  for (let at = dirname(path); at !== around.path && isWithin(at, around.path); at = dirname(at))
    found.unshift({ path: at, access: 'write' })
  return found
}
