import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Blobs, FolderChanges, FolderWatch } from '../../ports/undo.ts'
import { type GitPlace, type GitResult, runGit } from '../git/git.ts'
import { makeGitDir } from '../git/own-git-dir.ts'
import { findRepositoryRoot } from '../git/repository-root.ts'
import { readChanges } from './read-changes.ts'
import { sweepOld } from './sweep-old.ts'

export interface WatchLimits {
  files: number
  bytes: number
  /** Of one file; larger ones are not looked at. */
  file_bytes: number
}

/** The first look at a folder takes about a second for every 4,000 files; nobody waits longer than that for an undo. */
const LIMITS: WatchLimits = { files: 20_000, bytes: 300_000_000, file_bytes: 10_000_000 }
/** A lock older than this was left behind by a process that was killed. */
const STALE_LOCK_MS = 120_000
const MANY_FILES = 500
const LOCK_WAIT_MS = 50
const LOCK_TRIES = 40
const MAX_STORE_KILOBYTES = 2_000_000

/**
 * Finds what a command changed by keeping trees of the folder in Git folders of our own below `store`. The user's index,
 * objects and refs are never touched. Ignored files are not looked at.
 */
export function watchFolders(store: string, blobs: Blobs, limits: WatchLimits = LIMITS): FolderWatch {
  const said = new Set<string>()
  let swept = false
  const busy = new Map<string, Promise<unknown>>()

  /** One look at a folder at a time: they share an index. */
  const inTurn = <T>(folder: string, work: () => Promise<T>): Promise<T> => {
    const result = (busy.get(folder) ?? Promise.resolve()).then(work, work)
    busy.set(folder, result)
    return result
  }

  const nothing = (folder: string, problem: string): FolderChanges => {
    const key = `${folder}\0${problem}`
    if (said.has(key)) return { files: [] }
    said.add(key)
    return { files: [], note: `(what commands change here cannot be undone: ${problem})` }
  }

  return {
    async begin(folder) {
      const place = await findPlace(store, folder, blobs)
      if (!swept && (await sweepOld(store))) await startAnewWhenLarge(place)
      swept = true
      const before = await inTurn(folder, () => takeTree(place, limits))
      return async () => {
        if ('problem' in before) return nothing(folder, before.problem)
        return inTurn(folder, async () => {
          const after = await takeTree(place, limits)
          if ('problem' in after) return nothing(folder, after.problem)
          if (after.tree === before.tree) return { files: [] }
          const changes = await readChanges(place, before.tree, after.tree, blobs)
          return 'problem' in changes ? nothing(folder, changes.problem) : changes
        })
      }
    },
  }
}

/** A folder inside a repository is looked at from the repository's top, where its ignore rules are. */
export interface WatchedPlace extends GitPlace {
  /** From the top of the work tree to the folder, with a slash at its end; empty when they are the same. */
  prefix: string
}

async function findPlace(store: string, folder: string, blobs: Blobs): Promise<WatchedPlace> {
  const top = findRepositoryRoot(folder) ?? folder
  const inside = relative(top, folder).split(sep).join('/')
  const name = (await blobs.hash(Buffer.from(folder))).slice(0, 32)
  return { git_dir: join(store, name), work_tree: top, prefix: inside === '' ? '' : `${inside}/` }
}

type Tree = { tree: string } | { problem: string }

async function takeTree(place: WatchedPlace, limits: WatchLimits): Promise<Tree> {
  try {
    const made = statSync(join(place.git_dir, 'HEAD'), { throwIfNoEntry: false })
    if (!made) await makeGitDir(place.git_dir, { exact: true })
    await removeStaleLock(place)
  } catch (error) {
    return { problem: (error as Error).message }
  }
  const listed = await listChanged(place, limits)
  if ('problem' in listed) return listed
  for (const [paths, options] of [
    [listed.gone, ['--force-remove']],
    [listed.paths, ['--add', '--remove', '--replace']],
  ] as const) {
    if (paths.length === 0) continue
    const input = paths.map((path) => `${path}\0`).join('')
    // Many files at once go into one pack: a file for each would take several times as long.
    const pack = paths.length > MANY_FILES ? ['-c', 'core.bigFileThreshold=1'] : []
    const updated = await withLock(place, [...pack, 'update-index', ...options, '-z', '--stdin'], input)
    if (!updated.ok) return updated
  }
  const written = await withLock(place, ['write-tree'])
  return written.ok ? { tree: written.output.toString('latin1').trim() } : written
}

/** Another process of ours may be looking at the same folder. */
async function withLock(place: GitPlace, args: string[], input = ''): Promise<GitResult> {
  for (let tries = 0; ; tries += 1) {
    const result = await runGit(place, args, { input })
    if (result.ok || tries === LOCK_TRIES || !result.problem.includes('index.lock')) return result
    await sleep(LOCK_WAIT_MS)
  }
}

async function listChanged(
  place: WatchedPlace,
  limits: WatchLimits,
): Promise<{ paths: string[]; gone: string[] } | { problem: string }> {
  const rules = excludeRules(place.work_tree)
  const listed = await runGit(place, [
    ...(rules === undefined ? [] : ['-c', `core.excludesFile=${rules}`]),
    ...['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--', place.prefix || '.'],
  ])
  if (!listed.ok) return listed
  // A name with a slash at its end is a repository of its own; names that are not UTF-8 cannot be told to a person.
  const paths = [...new Set(listed.output.toString('utf8').split('\0'))].filter(
    (path) => path !== '' && !path.endsWith('/') && !path.includes('\ufffd'),
  )
  if (paths.length > limits.files) return { problem: `it has more than ${limits.files} files` }
  let bytes = 0
  const gone: string[] = []
  const usable = paths.filter((path) => {
    const full = join(place.work_tree, path)
    const info = lstatSync(full, { throwIfNoEntry: false })
    if (!info || info.isSymbolicLink()) return true
    if (info.isDirectory()) gone.push(path)
    if (!info.isFile() || info.size > limits.file_bytes || !isReadable(full)) return false
    bytes += info.size
    return true
  })
  return bytes > limits.bytes
    ? { problem: `it has more than ${limits.bytes} bytes` }
    : { paths: usable, gone }
}

/** What the user keeps out of this repository without saying so in a file of the project. */
function excludeRules(top: string): string | undefined {
  const path = join(top, '.git', 'info', 'exclude')
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Nothing in it is needed once a command has ended: what it changed is in the blob store. */
async function startAnewWhenLarge(place: WatchedPlace): Promise<void> {
  const counted = await runGit(place, ['count-objects'])
  const kilobytes = counted.ok ? /(\d+) kilobytes/u.exec(counted.output.toString())?.[1] : undefined
  if (Number(kilobytes ?? 0) > MAX_STORE_KILOBYTES) await rm(place.git_dir, { recursive: true, force: true })
}

async function removeStaleLock({ git_dir }: GitPlace): Promise<void> {
  const lock = join(git_dir, 'index.lock')
  const info = await stat(lock).catch(() => undefined)
  if (info && Date.now() - info.mtimeMs > STALE_LOCK_MS) await rm(lock, { force: true })
}
