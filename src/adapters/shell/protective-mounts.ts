import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ProtectedEntry } from './protected-entries.ts'

/** Files of a repository that name programs to run, or another place to find such files. */
export const GIT_SETTINGS = ['config', 'hooks', 'config.worktree', 'commondir', 'gitdir']

const MOST_MODULES = 50

/** Mounts that keep a protected entry of a writable folder as it is. A mount point itself cannot be moved or removed. */
export function mountsFor({ path, kind, git }: ProtectedEntry, folder: string): string[] {
  if (kind === 'link') return linkMounts(path, folder)
  if (!git || kind === 'file') return [...parentMount(path), '--ro-bind', path, path]
  makeHooks(path)
  // Git must write its objects, refs and index.
  const { folders, repositories } = nestedRepositories(path)
  return [
    ...[path, ...folders].flatMap((each) => ['--bind', each, each]),
    ...[path, ...repositories].flatMap((each) => settingsMounts(each, folder)),
  ]
}

const settingsMounts = (repository: string, folder: string): string[] =>
  GIT_SETTINGS.flatMap((name) => {
    const path = join(repository, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return linkMounts(path, folder)
    return stat ? ['--ro-bind', path, path] : []
  })

/** What a link leads to is protected as well, where a command could change it. */
function linkMounts(path: string, folder: string): string[] {
  try {
    const target = realpathSync.native(path)
    return target.startsWith(`${folder}/`) ? ['--ro-bind', target, target] : []
  } catch {
    return []
  }
}

/** `.conclave` with its settings must not be moved away as a whole. */
function parentMount(path: string): string[] {
  const parent = dirname(path)
  return basename(parent) === '.conclave' ? ['--bind', parent, parent] : []
}

/** The repositories of submodules, whose names may contain slashes, and of worktrees, with the folders on the way. */
function nestedRepositories(git: string): { folders: string[]; repositories: string[] } {
  const folders = ['modules', 'worktrees'].map((name) => join(git, name)).filter((path) => existsSync(path))
  const repositories: string[] = []
  for (let at = 0; at < folders.length && at < MOST_MODULES; at += 1) {
    const folder = folders[at] ?? ''
    if (existsSync(join(folder, 'HEAD'))) repositories.push(folder)
    else folders.push(...foldersIn(folder))
  }
  return { folders: folders.slice(0, MOST_MODULES), repositories }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(folder, entry.name)] : [],
    )
  } catch {
    return []
  }
}

/** Most repositories have the folder; one that has it is as good as one that has not. */
function makeHooks(git: string): void {
  try {
    mkdirSync(join(git, 'hooks'))
  } catch {
    // It is there, or nobody can make it.
  }
}
