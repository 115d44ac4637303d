import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Base, folders } from './base.ts'
import { type BytePath, fromText, nameOf, parentOf, toBytes, toText, under } from './byte-path.ts'
import { placeFiles, placeFolders } from './place-files.ts'
import { copyBeneath, lookBeneath } from './read-beneath.ts'
import { readRecord, writeRecord } from './record.ts'
import { removeTree } from './remove-tree.ts'
import { treeName } from './run-folder.ts'
import type { StoredChange } from './stored-change.ts'
import { walkTree } from './walk-tree.ts'
import { makeWorkspaceGit } from './workspace-git.ts'

/** Changes of a snapshot, to be put on top of the base. */
export interface Layer {
  tree: string
  changes: readonly StoredChange[]
  gone_folders: readonly BytePath[]
}

const STAMPS = 'stamps.json'

/** Makes a workspace below `place`. It is there as a whole or not at all; one that was there is replaced. */
export async function buildWorkspace(base: Base, place: string, layer?: Layer): Promise<string | undefined> {
  const making = `${place}.new-${Math.random().toString(36).slice(2)}`
  const tree = join(making, treeName(base.folder))
  try {
    await mkdir(tree, { recursive: true, mode: 0o700 })
    const problem = await fill(base, tree, layer)
    if (problem !== undefined) return problem
    const changed = new Set(layer?.changes.map(({ path }) => path))
    const stamps = [...(await walkTree(fromText(tree), { skip: isGit }))]
      .filter(([path, { kind }]) => kind !== 'folder' && base.entries.has(path) && !changed.has(path))
      .map(([path, { stamp }]) => [path, stamp])
    await writeRecord(join(making, STAMPS), stamps)
    const old = `${place}.old-${Math.random().toString(36).slice(2)}`
    await rename(place, old).catch(() => {})
    await rename(making, place)
    await removeTree(old)
  } finally {
    await removeTree(making)
  }
  return undefined
}

/** Of every file that was as in the base, what it was like when the workspace was made; undefined when there is no workspace. */
export async function readStamps(place: string): Promise<Map<BytePath, string> | undefined> {
  const stamps = await readRecord<[BytePath, string][]>(join(place, STAMPS))
  return stamps && new Map(stamps)
}

const isGit = (path: BytePath): boolean => nameOf(path) === '.git'

async function fill(base: Base, tree: string, layer?: Layer): Promise<string | undefined> {
  const [from, to] = [fromText(base.tree), fromText(tree)]
  const changed = new Set(layer?.changes.map(({ path }) => path))
  const files = [...base.entries].filter(([path, { kind }]) => kind !== 'folder' && !changed.has(path))
  const paths = files.map(([path]) => path)
  const gone = new Set(layer?.gone_folders)
  await placeFolders(
    to,
    folders(base.entries).filter(([path]) => !gone.has(path)),
  )
  const problem =
    (await placeFiles(
      from,
      to,
      paths.filter((path) => !base.shared.has(path)),
      'copy',
    )) ??
    (await placeFiles(
      fromText(base.shared_tree),
      to,
      paths.filter((path) => base.shared.has(path)),
      'link',
    ))
  if (problem !== undefined) return problem
  if (layer) await putLayer(layer, to)
  const linked = await linkDependencies(base, tree)
  await makeWorkspaceGit(base.folder, tree, linked)
  return undefined
}

/** Copies, never links: the snapshot is to stay as it is. */
async function putLayer({ tree, changes }: Layer, to: BytePath): Promise<void> {
  for (const { path, kind } of changes) {
    if (kind === null) continue
    await makeRoom(to, path)
    await copyEntry(fromText(tree), path, to)
  }
}

/** A folder of the base may now be a file, and the reverse. */
export async function makeRoom(to: BytePath, path: BytePath): Promise<void> {
  for (let at = parentOf(path), below: BytePath[] = []; ; at = parentOf(at)) {
    const found = at === '' ? { kind: 'folder' } : lookBeneath(to, at)
    if (found?.kind !== 'folder') below = [at, ...below]
    if (found && found.kind !== 'folder') await rm(toBytes(under(to, at)))
    if (at !== '') continue
    for (const folder of below) await mkdir(toBytes(under(to, folder)))
    break
  }
  const there = lookBeneath(to, path)
  if (there) await removeTree(toText(under(to, path)))
}

export async function copyEntry(from: BytePath, path: BytePath, to: BytePath): Promise<boolean> {
  const found = lookBeneath(from, path)
  if (found?.kind === 'link') {
    await symlink(found.target, toBytes(under(to, path)))
    return true
  }
  return found?.kind === 'file' && copyBeneath(from, path, under(to, path))
}

/** Installed dependencies are read where they are: copying them would take longer than the rest of the work. */
async function linkDependencies(base: Base, tree: string): Promise<string[]> {
  const linked: string[] = []
  for (const path of base.dependencies.map(toText)) {
    const at = join(tree, path)
    await mkdir(dirname(at), { recursive: true })
    await symlink(join(base.folder, path), at).then(
      () => linked.push(path),
      () => {},
    )
  }
  return linked
}
