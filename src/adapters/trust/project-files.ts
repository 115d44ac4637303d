import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import {
  HOOK_FOLDER,
  INSTRUCTIONS,
  MEMORY_FILE,
  SETTINGS,
  SKILL_FILE,
  SKILL_FOLDERS,
} from '../../core/trust/project-says.ts'
import { findRepositoryRoot } from '../git/repository-root.ts'

export interface ProjectFile {
  kind: 'settings' | 'instructions' | 'skill' | 'hook' | 'memory'
  /** From the folder; starts with `../` above it. */
  path: string
  /** Read once: what is shown, hashed and used is the same. Absent for settings that are no plain file of a sane size. */
  bytes?: Buffer
}

/** Larger ones are no settings and no instructions. */
const MAX_BYTES = 1_000_000
/** A folder of more skills or hooks than this is not looked through. */
const MAX_ENTRIES = 500

/**
 * The files of a project that have a say, instructions from the repository's top down. Nothing in them is understood
 * here. A link may lead around inside the project; instructions and skills behind one that leads out are left out, since
 * a model would be shown them.
 */
export function findProjectFiles(folder: string, home = homedir()): ProjectFile[] {
  const top = findRepositoryRoot(folder, home) ?? folder
  const found: ProjectFile[] = []
  const add = (kind: ProjectFile['kind'], full: string): boolean => {
    const bytes = readPlainFile(full, kind === 'settings' ? undefined : top)
    const says = bytes !== undefined || (kind === 'settings' && existsSync(full))
    if (says) found.push({ kind, path: relative(folder, full).split(sep).join('/'), ...(bytes && { bytes }) })
    return says
  }

  for (const name of SETTINGS) add('settings', join(folder, name))
  for (const at of foldersBetween(top, folder))
    INSTRUCTIONS.some((name) => add('instructions', join(at, name)))
  for (const place of SKILL_FOLDERS) {
    for (const name of namesIn(join(folder, place))) add('skill', join(folder, place, name, SKILL_FILE))
  }
  for (const name of namesIn(join(folder, HOOK_FOLDER))) add('hook', join(folder, HOOK_FOLDER, name))
  add('memory', join(folder, MEMORY_FILE))
  return found
}

/** From the top down to the folder, both included. */
function foldersBetween(top: string, folder: string): string[] {
  const folders = [folder]
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) folders.unshift(dirname(at))
  return folders
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, MAX_ENTRIES)
  } catch {
    return []
  }
}

/** Nothing when it is not there, too large, or would keep us waiting. */
function readPlainFile(path: string, within: string | undefined): Buffer | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  try {
    if (within !== undefined && !isInside(realpathSync(path), realpathSync(within))) return undefined
    const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const info = fstatSync(handle)
      return info.isFile() && info.size <= MAX_BYTES ? readFileSync(handle) : undefined
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
