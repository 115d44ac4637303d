import { readFile, rm } from 'node:fs/promises'
import { lstatSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { runGit } from '../git/git.ts'
import { findRepositoryRoot } from '../git/repository-root.ts'
import { findGitDir } from '../git/repository-view.ts'
import { type BytePath, fromText } from './byte-path.ts'
import { copyPlainFile } from './copy-plain-file.ts'

/** Thousands of files nobody wrote; left out where Git is not there to say so. */
const NEVER_WRITTEN = new Set(['node_modules', '.venv', '__pycache__'])
const MAX_RULES = 1_000_000

/** Paths from the folder; `folders` are those of them that are folders. */
export interface Ignored {
  paths: ReadonlySet<BytePath>
  folders: ReadonlySet<BytePath>
  /** Where Git was asked. */
  asked: { work_tree: string; inside: string; settings: readonly string[] }
}

export interface IgnoredRequest {
  /** A Git folder of ours. */
  own: string
  folder: string
  /** `repository`: what its index holds is not ignored, and the rules above the folder count. */
  as: 'repository' | 'plain'
}

/**
 * What Git ignores below a folder; folders as a whole where all in them is. Undefined when Git cannot tell: then `byName`
 * is the next best.
 */
export async function listIgnored({ own, folder, as }: IgnoredRequest): Promise<Ignored | undefined> {
  const root = as === 'repository' ? findRepositoryRoot(folder) : undefined
  if (root === undefined) return ask(own, folder, '', [])
  const source = await findGitDir(root)
  const inside = relative(root, folder).split(sep).join('/')
  const rules = source && join(source.common, 'info', 'exclude')
  const setting = rules && isFile(rules) ? ['-c', `core.excludesFile=${rules}`] : []
  const index = join(own, `index-${Math.random().toString(36).slice(2)}`)
  if (source) await copyPlainFile(join(source.git_dir, 'index'), index)
  const found = (await ask(own, root, inside, setting, index)) ?? (await ask(own, root, inside, setting))
  await rm(index, { force: true })
  // A folder that is ignored as a whole, such as one for experiments, is looked at for itself.
  return found?.paths.has('') ? ask(own, folder, '', []) : found
}

async function ask(
  own: string,
  work_tree: string,
  inside: string,
  settings: string[],
  index = join(own, 'index-none'),
): Promise<Ignored | undefined> {
  const listed = await runGit({ git_dir: own, work_tree, index }, [
    ...settings,
    ...['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', inside || '.'],
  ])
  if (!listed.ok) return undefined
  const start = inside === '' ? '' : `${fromText(inside)}/`
  const paths = new Set<BytePath>()
  const folders = new Set<BytePath>()
  for (const found of listed.output.toString('latin1').split('\0')) {
    if (found === '') continue
    const whole = found.endsWith('/') && start.startsWith(found)
    if (!whole && !found.startsWith(start)) continue
    const path = whole ? '' : found.slice(start.length).replace(/\/$/u, '')
    paths.add(path)
    if (found.endsWith('/')) folders.add(path)
  }
  return { paths, folders, asked: { work_tree, inside, settings } }
}

/** The ignored folders that a rule names; others only hold nothing but ignored files. */
export async function namedByRules(own: string, { folders, asked }: Ignored): Promise<Set<BytePath>> {
  // This one knows no literal paths; after a dot none of them is taken for a pattern of Git's.
  const start = asked.inside === '' ? './' : `./${fromText(asked.inside)}/`
  const options = ['--no-literal-pathspecs', ...asked.settings]
  const input = Buffer.from([...folders].map((path) => `${start}${path}/\0`).join(''), 'latin1')
  const place = { git_dir: own, work_tree: asked.work_tree, index: join(own, 'index-none') }
  const checked = await runGit(place, [...options, 'check-ignore', '-z', '--stdin'], { input })
  // It ends with 1 when none is.
  const lines = checked.ok ? checked.output.toString('latin1').split('\0') : []
  return new Set(lines.filter((line) => line !== '').map((line) => line.slice(start.length, -1)))
}

export const byName = (path: BytePath): boolean => NEVER_WRITTEN.has(path.slice(path.lastIndexOf('/') + 1))

/** The rules from above a folder and from its repository's own list, as they read from the folder itself. */
export async function rulesFromAbove(folder: string): Promise<string> {
  const root = findRepositoryRoot(folder)
  if (root === undefined) return ''
  const source = await findGitDir(root)
  const lists = source ? [{ file: join(source.common, 'info', 'exclude'), at: root }] : []
  const above: typeof lists = []
  for (let at = folder; at !== root;) {
    at = dirname(at)
    above.unshift({ file: join(at, '.gitignore'), at })
  }
  const texts = [...lists, ...above].map(async ({ file, at }) => {
    const text = isFile(file) ? await readFile(file, 'utf8').catch(() => '') : ''
    return text.split('\n').map((line) => seenFrom(line, relative(at, folder).split(sep).join('/')))
  })
  return (await Promise.all(texts)).flat().filter(Boolean).join('\n')
}

/** A rule with a slash is bound to its folder: below another one its start has to match that folder's name. */
function seenFrom(line: string, inside: string): string {
  const [, not = '', rule = ''] = /^(!?)(.*?)\s*$/u.exec(line) ?? []
  if (rule === '' || rule.startsWith('#')) return ''
  if (inside === '' || !rule.replace(/\/$/u, '').includes('/') || rule.startsWith('**/')) return not + rule
  const bound = rule.replace(/^\//u, '')
  return bound.startsWith(`${inside}/`) ? `${not}/${bound.slice(inside.length + 1)}` : ''
}

function isFile(path: string): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false })
  return info?.isFile() === true && info.size < MAX_RULES
}
