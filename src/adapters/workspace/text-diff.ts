import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangedFile } from '../../ports/workspace.ts'
import { type GitResult, runGit } from '../git/git.ts'
import type { Base } from './base.ts'
import { type BytePath, toText } from './byte-path.ts'
import type { StoredChange } from './stored-change.ts'

/** Larger files are named in a diff, not shown. */
const MAX_FILE_BYTES = 5_000_000
/** Nothing is checked out from these trees, so names that are bad elsewhere do no harm. */
const ANY_NAME = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false']
/** Git knows it without having been given it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The changed files before and after, as Git trees. */
export interface DiffTrees {
  before: string
  after: string
}

export async function makeDiffTrees(
  base: Base,
  snapshot: string,
  changes: readonly StoredChange[],
): Promise<DiffTrees | undefined> {
  const shown = changes.filter(({ path, size }) => isShown(base, path, size))
  if (shown.length === 0) return undefined
  const before = await writeTree(
    base,
    base.tree,
    shown.flatMap(({ path }) => (hasFile(base, path) ? [path] : [])),
  )
  const after = await writeTree(
    base,
    snapshot,
    shown.flatMap(({ path, kind }) => (kind === null ? [] : [path])),
  )
  return before !== undefined && after !== undefined ? { before, after } : undefined
}

/** Lines of each change; null for those that are not text, or too large, or when Git could not tell. */
export async function countLines(
  base: Base,
  changes: readonly StoredChange[],
  trees: DiffTrees | undefined,
): Promise<ChangedFile[]> {
  const counted = trees && (await diffTree(base, trees, ['--numstat', '-z']))
  const lines = new Map<BytePath, [number, number]>()
  for (const record of counted?.ok ? counted.output.toString('latin1').split('\0') : []) {
    const [, added, removed, path] = /^(\d+)\t(\d+)\t([^]+)$/u.exec(record) ?? []
    if (path !== undefined) lines.set(path, [Number(added), Number(removed)])
  }
  return changes.map(({ path, change }) => {
    const [added, removed] = lines.get(path) ?? [null, null]
    return { path: toText(path), change, added, removed }
  })
}

export async function showDiff(
  base: Base,
  changes: readonly StoredChange[],
  trees: DiffTrees | undefined,
  max_characters: number,
): Promise<string> {
  const shown = trees && (await diffTree(base, trees, ['-p', '--no-color', '--no-ext-diff', '--no-textconv']))
  const large = changes.filter(({ path, size }) => !shown?.ok || !isShown(base, path, size))
  const named = large.map(({ path, change }) => `${change} ${JSON.stringify(toText(path))} (not shown)\n`)
  const text = (shown?.ok ? shown.output.toString('utf8') : '') + named.join('')
  if (text.length <= max_characters) return text
  const cut = text.lastIndexOf('\n', max_characters) + 1 || max_characters
  return `${text.slice(0, cut)}[cut: ${text.length - cut} more characters, ${changes.length} files changed in all]\n`
}

const isShown = (base: Base, path: BytePath, size: number): boolean =>
  size <= MAX_FILE_BYTES && (base.entries.get(path)?.size ?? 0) <= MAX_FILE_BYTES

const hasFile = (base: Base, path: BytePath): boolean =>
  base.entries.has(path) && base.entries.get(path)?.kind !== 'folder'

async function writeTree(
  base: Base,
  work_tree: string,
  paths: readonly BytePath[],
): Promise<string | undefined> {
  if (paths.length === 0) return EMPTY_TREE
  const index = join(base.git, `index-${Math.random().toString(36).slice(2)}`)
  const place = { git_dir: base.git, work_tree, index }
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  try {
    const added = await runGit(place, [...ANY_NAME, 'update-index', '--add', '-z', '--stdin'], { input })
    if (!added.ok) return undefined
    const written = await runGit(place, ['write-tree'])
    return written.ok ? written.output.toString('latin1').trim() : undefined
  } finally {
    await rm(index, { force: true })
  }
}

const diffTree = (base: Base, { before, after }: DiffTrees, options: string[]): Promise<GitResult> =>
  runGit({ git_dir: base.git, work_tree: base.tree, index: join(base.git, 'index-none') }, [
    'diff-tree',
    '-r',
    '--no-renames',
    ...options,
    before,
    after,
  ])
