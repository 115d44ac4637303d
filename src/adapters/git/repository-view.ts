import { copyFile, lstat, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitPlace, type GitResult, runGit } from './git.ts'
import { makeGitDir } from './own-git-dir.ts'
import { findRepositoryRoot } from './repository-root.ts'

export interface RepositoryView {
  root: string
  /** Absent when the head is detached. */
  branch?: string
  status(): Promise<GitResult>
  /** Of the work tree against the last commit. */
  diff(): Promise<GitResult>
}

/**
 * Looks at a user's repository without reading its config: its head and index are copied into a Git folder of ours, its
 * objects are read where they are. Nothing of it is written. `own` is ours to overwrite.
 */
export async function viewRepository(folder: string, own: string): Promise<RepositoryView | undefined> {
  const root = findRepositoryRoot(folder)
  const source = root === undefined ? undefined : await findGitDir(root)
  if (root === undefined || !source) return undefined
  const { commit, branch } = await readHead(source)
  const index = join(own, 'index')
  await makeGitDir(own, { exact: false })
  if (commit !== undefined) await writeFile(join(own, 'HEAD'), `${commit}\n`)
  await rm(index, { force: true })
  if (await isPlainFile(join(source.git_dir, 'index'))) await copyFile(join(source.git_dir, 'index'), index)

  const place: GitPlace = { git_dir: own, work_tree: root, objects: join(source.common, 'objects'), index }
  const against = commit === undefined ? [] : ['HEAD']
  return {
    root,
    ...(branch !== undefined && { branch }),
    status: () =>
      runGit(place, ['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=all']),
    diff: () =>
      runGit(place, [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--ignore-submodules=all',
        ...against,
      ]),
  }
}

export interface Source {
  git_dir: string
  /** Of a linked work tree, the repository's own. */
  common: string
}

/** A pointer is believed only when the place it points to points back: otherwise it could name any repository. */
export async function findGitDir(root: string): Promise<Source | undefined> {
  const entry = join(root, '.git')
  const info = await lstat(entry).catch(() => undefined)
  if (info?.isDirectory()) return { git_dir: entry, common: entry }
  if (!info?.isFile()) return undefined
  const pointer = (await readText(entry)).match(/^gitdir: (.+)$/mu)?.[1]
  if (pointer === undefined) return undefined
  const git_dir = resolve(root, pointer)
  const back = (await readText(join(git_dir, 'gitdir'))).trim()
  if (back === '' || (await sameFile(back, entry)) === false) return undefined
  return { git_dir, common: resolve(git_dir, (await readText(join(git_dir, 'commondir'))).trim() || '.') }
}

async function sameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)))
  return first !== undefined && first === second
}

export async function readHead({ git_dir, common }: Source): Promise<{ commit?: string; branch?: string }> {
  const head = (await readText(join(git_dir, 'HEAD'))).trim()
  const ref = head.match(/^ref: (refs\/[\w./@+#-]+)$/u)?.[1]
  if (ref === undefined) return COMMIT.test(head) ? { commit: head } : {}
  const branch = ref.replace(/^refs\/heads\//u, '')
  if (ref.split('/').includes('..')) return {}
  const loose = (await readText(join(common, ref))).trim()
  if (COMMIT.test(loose)) return { commit: loose, branch }
  const packed = (await readText(join(common, 'packed-refs')))
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ', 1)[0]
  return packed !== undefined && COMMIT.test(packed) ? { commit: packed, branch } : { branch }
}

const COMMIT = /^[0-9a-f]{40}$/u

const MAX_TEXT = 10_000_000

/** Empty when it is not a plain file: a FIFO would never end. */
async function readText(path: string): Promise<string> {
  return (await isPlainFile(path)) ? readFile(path, 'utf8').catch(() => '') : ''
}

async function isPlainFile(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined)
  return info?.isFile() === true && (info.size < MAX_TEXT || path.endsWith('index'))
}
