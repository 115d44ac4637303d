import { dirname } from 'node:path'
import { type BytePath, fromText, nameOf, toText, under } from './byte-path.ts'
import { type Ignored, byName, listIgnored } from './ignored-paths.ts'
import { type Tree, walkTree } from './walk-tree.ts'

const MOST_NESTED = 50

/** Folders with what others wrote. Too large to copy, needed to build and test. */
const DEPENDENCIES = new Set(['node_modules', '.venv', 'venv', 'vendor', 'bower_components', 'Pods', 'deps'])

export interface FolderList {
  /** Everything a workspace gets. */
  tree: Tree
  /** Ignored folders with installed dependencies. */
  dependencies: BytePath[]
}

/**
 * What of the user's folder goes into a workspace: all but what Git ignores, Git's own files, and `ours`. Repositories
 * inside go in as plain folders, by their own rules.
 */
export async function listFolder(
  folder: string,
  options: { own: string; ours: string; most: number },
): Promise<FolderList> {
  const { own, most } = options
  const ours = fromText(options.ours)
  const root = fromText(folder)
  const ignored = await listIgnored({ own, folder, as: 'repository' })
  const dependencies = new Set<BytePath>(dependenciesIn(ignored))
  const nested: BytePath[] = []
  const skip = (path: BytePath, kind: string): boolean => {
    const name = nameOf(path)
    if (name === '.git' && path !== '.git') nested.push(dirname(path))
    if (isNeverCopied(path) || under(root, path) === ours) return true
    if (ignored) return ignored.paths.has(path)
    const out = kind === 'folder' && byName(path)
    if (out && DEPENDENCIES.has(name)) dependencies.add(path)
    return out
  }
  const tree = await walkTree(root, { skip, most })
  for (const at of nested.slice(0, MOST_NESTED)) {
    const inner = await listIgnored({ own, folder: toText(under(root, at)), as: 'repository' })
    if (!inner || inner.paths.size === 0) continue
    prune(tree, at, inner.paths)
    for (const path of dependenciesIn(inner)) dependencies.add(`${at}/${path}`)
  }
  return { tree, dependencies: [...dependencies] }
}

/** Git's own files, which the workspace has its own of, and what runs write about themselves. */
export const isNeverCopied = (path: BytePath): boolean =>
  nameOf(path) === '.git' || path === '.conclave/logs' || path === '.conclave/runs'

const dependenciesIn = (ignored: Ignored | undefined): BytePath[] =>
  [...(ignored?.folders ?? [])].filter((path) => DEPENDENCIES.has(nameOf(path)))

function prune(tree: Tree, at: BytePath, ignored: ReadonlySet<BytePath>): void {
  for (const path of tree.keys()) {
    if (!path.startsWith(`${at}/`)) continue
    for (let part = path.slice(at.length + 1); part !== '.' && part !== ''; part = dirname(part)) {
      if (!ignored.has(part)) continue
      tree.delete(path)
      break
    }
  }
}
