import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runGit } from '../git/git.ts'
import { makeGitDir } from '../git/own-git-dir.ts'
import { findGitDir, readHead } from '../git/repository-view.ts'
import { copyPlainFile } from './copy-plain-file.ts'

/**
 * A repository for a workspace: the user's history is read where it is, everything new stays in the workspace, and the
 * user's repository does not know of it. Nothing of the user's config is taken. Does nothing when the folder is not the
 * top of a repository with a commit.
 */
export async function makeWorkspaceGit(
  folder: string,
  workspace: string,
  linked: readonly string[],
): Promise<void> {
  const source = await findGitDir(folder)
  const { commit, branch } = source ? await readHead(source) : {}
  if (!source || commit === undefined) return
  const git_dir = join(workspace, '.git')
  await makeGitDir(git_dir, { exact: false })
  await appendFile(join(git_dir, 'config'), SETTINGS)
  await mkdir(join(git_dir, 'objects', 'info'), { recursive: true })
  const objects = join(source.common, 'objects')
  // A name with a line end, or a quote at its start, has to be quoted.
  const named = /^"|\n/u.test(objects) ? JSON.stringify(objects) : objects
  await writeFile(join(git_dir, 'objects', 'info', 'alternates'), `${named}\n`)
  await writeFile(join(git_dir, 'HEAD'), branch === undefined ? `${commit}\n` : `ref: refs/heads/${branch}\n`)
  if (branch !== undefined) {
    const ref = join(git_dir, 'refs', 'heads', branch)
    await mkdir(dirname(ref), { recursive: true })
    await writeFile(ref, `${commit}\n`)
  }
  await copyPlainFile(join(source.common, 'shallow'), join(git_dir, 'shallow'))
  await appendFile(join(git_dir, 'info', 'exclude'), linked.map((path) => `/${path}\n`).join(''))
  await copyPlainFile(join(source.git_dir, 'index'), join(git_dir, 'index'))
  const place = { git_dir, work_tree: workspace }
  const usable = await runGit(place, ['ls-files', '--error-unmatch', '-z', '--cached', '--', '.'])
  if (!usable.ok) await runGit(place, ['read-tree', 'HEAD'])
}

/** The copied index knows the user's files by time and size; so the copies, which have both, need not be read again. */
const SETTINGS = `\tcheckStat = minimal
\ttrustctime = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`
