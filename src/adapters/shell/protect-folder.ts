import {
  type FSWatcher,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  watch,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join, relative } from 'node:path'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import { GIT_SETTINGS, mountsFor } from './protective-mounts.ts'
import { type ProtectedEntry, ProtectedEntries, slotOf } from './protected-entries.ts'

export interface Protection {
  /** Mounts for bubblewrap, to come after the folder's own. */
  mounts: string[]
  /** Ends the watch and undoes what could not be prevented; says what that was. */
  finish(): string[]
}

const watchers = new Map<string, FolderWatch>()

/**
 * Keeps the protected names of a writable folder as they are. Those that exist are mounted read-only, so that the kernel
 * refuses; so is a `.git` that does not exist. Others that appear while a command runs are renamed at once. Parts of the
 * folder that may not be written anyway are left as they are mounted. Without an empty folder to mount, as where mounts
 * outlive the command, a `.git` that does not exist is renamed like the others.
 */
export function protectFolder(
  folder: string,
  emptyFolder: string | undefined,
  mayWrite: (path: string) => boolean = () => true,
): Protection {
  let state = watchers.get(folder)
  if (!state) {
    state = new FolderWatch(folder)
    watchers.set(folder, state)
  }
  return state.begin(emptyFolder, mayWrite)
}

class FolderWatch {
  readonly #folder: string
  readonly #entries: ProtectedEntries
  #users = 0
  #watching: FSWatcher[] = []
  #known = new Set<string>()
  #links = new Map<string, string>()
  #repositories: string[] = []
  #reports: string[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#entries = new ProtectedEntries(folder)
  }

  begin(emptyFolder: string | undefined, mayWrite: (path: string) => boolean): Protection {
    const alone = this.#users === 0
    this.#users += 1
    if (alone) this.#startAfresh()
    // What appeared since another command began was made by that one.
    else this.#blockUnknown()
    const git = join(this.#folder, '.git')
    const placeholder = emptyFolder !== undefined && makePlaceholder(git)
    const entries = this.#entries.find().filter(({ path }) => !placeholder || path !== git)
    // What these make for themselves is there before anybody watches.
    const mounts = entries
      .filter(({ path }) => mayWrite(path))
      .flatMap((entry) => mountsFor(entry, this.#folder))
    if (placeholder && mayWrite(git)) mounts.push('--ro-bind', emptyFolder, git)
    this.#repositories = entries
      .filter((entry) => entry.git && entry.kind === 'folder')
      .map(({ path }) => path)
    this.#learn(entries)
    if (emptyFolder !== undefined) this.#known.add(slotOf(this.#folder, '.git'))
    if (alone) this.#watch()
    return { mounts, finish: () => this.#finish() }
  }

  #startAfresh(): void {
    this.#known.clear()
    this.#links.clear()
    this.#reports = []
  }

  #learn(entries: readonly ProtectedEntry[]): void {
    for (const { slot, path, kind } of entries) {
      this.#known.add(slot)
      if (kind === 'link') this.#links.set(path, readlinkSync(path))
    }
    for (const repository of this.#repositories) {
      for (const name of GIT_SETTINGS) {
        const path = join(repository, name)
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat) this.#known.add(slotOf(repository, name))
        if (stat?.isSymbolicLink()) this.#links.set(path, readlinkSync(path))
      }
    }
  }

  #blockUnknown(): void {
    for (const { slot, path, what } of this.#entries.find()) {
      if (!this.#known.has(slot)) this.#block(path, what)
    }
    for (const repository of this.#repositories) {
      for (const name of GIT_SETTINGS) this.#look(repository, name)
    }
  }

  #finish(): string[] {
    this.#blockUnknown()
    for (const [path, target] of this.#links) this.#restoreLink(path, target)
    const reports = this.#reports
    this.#reports = []
    this.#users -= 1
    if (this.#users === 0) {
      for (const watcher of this.#watching) watcher.close()
      this.#watching = []
      removePlaceholder(join(this.#folder, '.git'))
    }
    return reports
  }

  /** The places where a file has its effect without anybody starting a new session. */
  #watch(): void {
    const folders = [this.#folder, ...this.#repositories.slice(0, 20)]
    this.#watching = folders.flatMap((folder) => {
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          if (name) this.#look(folder, name)
        })
        watcher.on('error', () => {})
        return [watcher]
      } catch {
        return []
      }
    })
  }

  #look(folder: string, name: string): void {
    const inRepository = this.#repositories.includes(folder)
    const what = inRepository ? GIT_SETTINGS.includes(name) && "Git's own files" : protectedPath(name)
    const path = join(folder, name)
    if (!what || this.#known.has(slotOf(folder, name))) return
    if (lstatSync(path, { throwIfNoEntry: false })) this.#block(path, what)
  }

  /** Renamed, not removed: it may be somebody's work, and under another name it does nothing. */
  #block(path: string, what: string): void {
    const target = freeName(`${path}.blocked`)
    const shown = relative(this.#folder, path)
    try {
      // A command that still runs may have put a link in the way, to have something renamed elsewhere.
      if (realpathSync.native(dirname(path)) !== dirname(path)) return
      renameSync(path, target)
      this.#reports.push(
        `a command may not make ${shown} (${what}); it is now ${basename(target)}, and a person can rename it back`,
      )
    } catch (error) {
      if (existsSync(path))
        this.#reports.push(
          `a command made ${shown} (${what}), and it could not be renamed: ${(error as Error).message}`,
        )
    }
  }

  /** A link cannot be mounted over, so it is put back. */
  #restoreLink(path: string, target: string): void {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() && readlinkSync(path) === target) return
    try {
      if (stat) renameSync(path, freeName(`${path}.blocked`))
      symlinkSync(target, path)
      this.#reports.push(`a command may not change ${relative(this.#folder, path)}; it was put back`)
    } catch {
      // The folder it was in is gone, and with it the danger.
    }
  }
}

/** An empty `.git` is no repository to Git; it is there only to be mounted over. True when it is ours. */
function makePlaceholder(git: string): boolean {
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (stat) return stat.isDirectory() && isEmpty(git)
  try {
    mkdirSync(git)
    return true
  } catch {
    // Then no command can make it either.
    return false
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return false
  }
}

function removePlaceholder(git: string): void {
  try {
    rmdirSync(git)
  } catch {
    // It is a repository.
  }
}

const freeName = (wanted: string): string =>
  lstatSync(wanted, { throwIfNoEntry: false }) ? `${wanted}-${randomUUID().slice(0, 8)}` : wanted
