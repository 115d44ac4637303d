import { lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { ContextPath, Reach } from '../schema/reach.ts'
import type { Roster } from './agents.ts'
import type { Args } from './args.ts'
import { refuseContextPath } from './context-path-rules.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findJournal } from './places.ts'

/** A context path as the person wrote it. */
interface Wish {
  path: string
  permission: 'read' | 'write'
  protected_paths: readonly string[]
  /** Where relative ones start. */
  base: string
}

/** What the turns of this start may reach; nothing when it is the folder alone, as usual. */
export function findReach(args: Args, roster: Roster, folder: string): Reach | undefined {
  const context = findContextPaths(args, roster, folder)
  return context.length === 0 ? undefined : { root: folder, root_access: 'write', context }
}

/**
 * The context paths of the config and the command line by their real paths. For the very same path the command line has
 * the last word, but what the config protects stays protected. All problems are reported at once.
 */
export function findContextPaths(
  args: Args,
  { context_paths = [], base }: Pick<Roster, 'context_paths' | 'base'>,
  folder: string,
): ContextPath[] {
  const wishes: Wish[] = [
    ...context_paths.map((wish) => ({ ...wish, base })),
    ...args.values('context-path').map((text) => ({ ...readFlag(text), base: folder })),
  ]
  const found = new Map<string, ContextPath>()
  const problems: string[] = []
  for (const wish of wishes) {
    const context = resolveWish(wish, dirname(findJournal(args)))
    if ('problem' in context) {
      problems.push(`context path ${wish.path}: ${context.problem}`)
      continue
    }
    const known = found.get(context.path)?.protected_paths ?? []
    const protected_paths = [...new Set([...known, ...context.protected_paths])]
    found.set(context.path, { ...context, protected_paths })
  }
  if (problems.length > 0) throw new Exit(exitCodes.input, problems.join('\n'))
  return [...found.values()]
}

export function describeContextPath({ path, permission, protected_paths }: ContextPath): string {
  const except = protected_paths.length > 0 ? `, except ${protected_paths.join(', ')}` : ''
  const there = lstatSync(path, { throwIfNoEntry: false }) ? '' : ', not there yet'
  return `${path} (${permission}${permission === 'write' ? except : ''}${there})`
}

/** `path`, `path:read` or `path:write`. */
function readFlag(text: string): Omit<Wish, 'base'> {
  const [, path, permission] = /^(.+):(read|write)$/su.exec(text) ?? []
  return {
    path: path ?? text,
    permission: permission === 'write' ? 'write' : 'read',
    protected_paths: [],
  }
}

function resolveWish(wish: Wish, data: string): ContextPath | { problem: string } {
  const { permission } = wish
  const given = resolve(wish.base, expandHome(wish.path))
  const path = realPath(given)
  const problem = refuseContextPath(given, path, permission, data)
  if (problem !== undefined) return { problem }
  const protected_paths: string[] = []
  for (const spared of wish.protected_paths) {
    const places = locate(expandHome(spared), { ...wish, given, path })
    if ('problem' in places) return { problem: `protected path ${spared} ${places.problem}` }
    protected_paths.push(...places)
  }
  return { path, permission, protected_paths: [...new Set(protected_paths)] }
}

/**
 * A protected path starts at its context path, or where that starts itself. What exists is meant; if nothing does, both
 * are protected, because the wrong guess would leave one open.
 */
function locate(
  spared: string,
  { base, given, path }: { base: string; given: string; path: string },
): string[] | { problem: string } {
  const fromBase = resolve(base, spared)
  const places = new Set([
    resolve(path, spared),
    isBelow(fromBase, given) ? join(path, relative(given, fromBase)) : realPath(fromBase),
  ])
  const below = [...places].filter((place) => isBelow(place, path))
  if (below.length === 0) return { problem: `is not below ${path}` }
  const link = below.find((place) => realPath(place) !== place)
  if (link !== undefined)
    return { problem: `is or goes through a link; name what it leads to: ${realPath(link)}` }
  const there = below.filter((place) => statSync(place, { throwIfNoEntry: false }))
  return there.length > 0 ? there : below
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder

const expandHome = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path

/** Of what is not there, the real path of the folder it would be in. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
