import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Refused } from '../../ports/files.ts'
import { makeGitDir } from '../git/own-git-dir.ts'
import { type BytePath, fromText, toBytes, under } from './byte-path.ts'
import { rulesFromAbove } from './ignored-paths.ts'
import { listFolder } from './list-folder.ts'
import { placeFiles, placeFolders } from './place-files.ts'
import { hashBeneath } from './read-beneath.ts'
import { readRecord, writeRecord } from './record.ts'
import { removeTree } from './remove-tree.ts'
import { chooseShared, sharedMode } from './shared-files.ts'
import { TooManyFiles, type Tree, type TreeEntry, walkTree } from './walk-tree.ts'

export interface BaseLimits {
  /** Of one folder. */
  files: number
  bytes: number
  /** That all workspaces of a run may copy together where the file system cannot share bytes itself. */
  copied_bytes: number
}

/** The user's folder as it was when the run began. */
export interface Base {
  folder: string
  /** The files, never touched again; only snapshots share them. */
  tree: string
  /** Second copies of the large ones, read-only, that the workspaces share. */
  shared_tree: string
  /** Our own Git folder for questions about the run's trees. */
  git: string
  entries: ReadonlyMap<BytePath, Pick<TreeEntry, 'kind' | 'size' | 'mode'>>
  /** Path to SHA-256. */
  shared: ReadonlyMap<BytePath, string>
  dependencies: BytePath[]
}

interface BaseRecord {
  folder: string
  entries: [BytePath, TreeEntry['kind'], number, number][]
  shared: [BytePath, string][]
  dependencies: BytePath[]
}

export async function openBase(path: string): Promise<Base | undefined> {
  const record = await readRecord<BaseRecord>(join(path, 'base.json'))
  if (!record) return undefined
  return {
    ...placesIn(path),
    folder: record.folder,
    entries: new Map(record.entries.map(([entry, kind, size, mode]) => [entry, { kind, size, mode }])),
    shared: new Map(record.shared),
    dependencies: record.dependencies,
  }
}

const placesIn = (path: string): Pick<Base, 'tree' | 'shared_tree' | 'git'> => ({
  tree: join(path, 'tree'),
  shared_tree: join(path, 'shared'),
  git: join(path, 'git'),
})

export interface BaseRequest {
  /** Where it shall be. */
  path: string
  folder: string
  /** Our own folder, in case it is inside the user's. */
  ours: string
  agents: number
  limits: BaseLimits
}

/** Copies the user's folder. It is there as a whole or not at all. */
export async function makeBase(request: BaseRequest): Promise<Base | Refused> {
  const making = `${request.path}.new-${Math.random().toString(36).slice(2)}`
  try {
    const problem = await fill(making, request)
    if (problem !== undefined) return { refused: `no workspace for ${request.folder}: ${problem}` }
    await rename(making, request.path)
  } catch (error) {
    if (!(error instanceof TooManyFiles)) throw error
    return {
      refused: `no workspace for ${request.folder}: it has more than ${request.limits.files} files; work in a folder below it, or let Git ignore what is not needed`,
    }
  } finally {
    await removeTree(making)
  }
  const base = await openBase(request.path)
  if (!base) throw new Error(`the copy of ${request.folder} is gone from ${request.path}`)
  return base
}

async function fill(path: string, request: BaseRequest): Promise<string | undefined> {
  const { folder, ours, agents, limits } = request
  const { tree, shared_tree, git } = placesIn(path)
  for (const each of [tree, shared_tree]) await mkdir(each, { recursive: true, mode: 0o700 })
  await makeQuestionGit(git, folder)
  const list = await listFolder(folder, { own: git, ours, most: limits.files })
  const bytes = total(list.tree)
  if (bytes > limits.bytes) {
    return `it has ${megabytes(bytes)}, the most is ${megabytes(limits.bytes)}; let Git ignore what is not needed`
  }
  const reflinks = await canReflink(path)
  const candidates = chooseShared(list.tree, reflinks ? Infinity : limits.copied_bytes / agents)
  const shared_bytes = total(list.tree, (entry) => candidates.has(entry))
  const needed = reflinks ? bytes : bytes + shared_bytes + agents * (bytes - shared_bytes)
  const { bavail, bsize } = await statfs(path)
  if (needed > bavail * bsize) {
    return `${agents} of them need ${megabytes(needed)}, and ${megabytes(bavail * bsize)} are free; free some space, or run fewer agents`
  }
  await placeFolders(fromText(tree), folders(list.tree))
  const files = [...list.tree].filter(([, { kind }]) => kind !== 'folder').map(([each]) => each)
  const copied = await placeFiles(fromText(folder), fromText(tree), files, 'copy')
  if (copied !== undefined) return copied
  const entries = await walkTree(fromText(tree))
  const shared = await makeShared(tree, shared_tree, entries, candidates)
  if (typeof shared === 'string') return shared
  const record: BaseRecord = {
    folder,
    entries: [...entries].map(([each, { kind, size, mode }]) => [each, kind, size, mode]),
    shared,
    dependencies: list.dependencies,
  }
  await writeRecord(join(path, 'base.json'), record)
  return undefined
}

async function makeShared(
  tree: string,
  shared_tree: string,
  entries: Tree,
  candidates: ReadonlySet<BytePath>,
): Promise<[BytePath, string][] | string> {
  const paths = [...candidates].filter((path) => entries.get(path)?.kind === 'file')
  const needed = new Set(paths.flatMap((path) => parentsOf(path)))
  await placeFolders(
    fromText(shared_tree),
    [...folders(entries)].filter(([path]) => needed.has(path)),
  )
  const problem = await placeFiles(fromText(tree), fromText(shared_tree), paths, 'copy')
  if (problem !== undefined) return problem
  const hashes: [BytePath, string][] = []
  for (const path of paths) {
    await chmod(toBytes(under(fromText(shared_tree), path)), sharedMode(entries.get(path)?.mode ?? 0))
    const hash = await hashBeneath(fromText(shared_tree), path)
    if (hash !== undefined) hashes.push([path, hash])
  }
  return hashes
}

/** Files are taken byte for byte, and whether one is text is seen from its bytes: no attribute of a project has a say. */
const ATTRIBUTES = '* -text -eol -crlf -ident -filter -working-tree-encoding !diff !merge\n'

async function makeQuestionGit(git: string, folder: string): Promise<void> {
  await makeGitDir(git, { exact: true })
  await writeFile(join(git, 'info', 'attributes'), ATTRIBUTES)
  const rules = await rulesFromAbove(folder)
  if (rules !== '') await writeFile(join(git, 'info', 'exclude'), `${rules}\n`, { flag: 'a' })
}

async function canReflink(folder: string): Promise<boolean> {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  try {
    await writeFile(one, 'x'.repeat(10_000))
    await copyFile(one, two, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    await rm(one, { force: true })
    await rm(two, { force: true })
  }
}

export const folders = (
  tree: Iterable<readonly [BytePath, Pick<TreeEntry, 'kind' | 'mode'>]>,
): [BytePath, number][] =>
  [...tree].flatMap(([path, { kind, mode }]) => (kind === 'folder' ? [[path, mode]] : []))

function parentsOf(path: BytePath): BytePath[] {
  const found: BytePath[] = []
  for (let at = dirname(path); at !== '.'; at = dirname(at)) found.push(at)
  return found
}

function total(tree: Tree, counts: (path: BytePath) => boolean = () => true): number {
  let sum = 0
  for (const [path, { kind, size }] of tree) if (kind === 'file' && counts(path)) sum += size
  return sum
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
