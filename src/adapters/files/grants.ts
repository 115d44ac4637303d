import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Reach } from '../../schema/reach.ts'
import { pathNames, splitNames } from './path-names.ts'
import { Refusal, quote } from './refusal.ts'

/** What a process may reach: a working folder, and paths inside or outside of it with rights of their own. */
export interface FileGrants {
  /** Where relative paths start. */
  root: string
  /** Of the root; `write` if absent. */
  permission?: Permission
  paths?: readonly PathGrant[]
  /** All paths are real ones: none is resolved again, so one that has become a link leads nowhere. */
  real?: boolean
}

export interface PathGrant {
  /** A folder or a file, absolute or from the root. */
  path: string
  permission: Permission
  /** Only read although the grant is for writing: from the granted path, from the root, or absolute. */
  protected_paths?: readonly string[]
}

export type Permission = 'read' | 'write'

/** Where a path leads, and what may be done there. */
export interface Place {
  /** The real folder to start from; everything from there on is opened without following a link. */
  base: string
  names: string[]
  /** For messages and results: from the working folder when it is in there, otherwise absolute. */
  shown: string
  /** Why it may not be changed; absent when it may. */
  read_only?: string
  /** Names from this one on may be created. */
  create_from: number
}

interface Rule {
  /** Its own name as it was given, and the real one it had when the files were opened. */
  given: string[]
  real: string[]
  permission: Permission
  protected: boolean
  /** It granted one file, or what is not there yet: the folder around it is opened, but nothing else in it. */
  leaf: boolean
}

/** Decides about every path anew. The narrowest grant that holds a path has the say over it. */
export function openGrants(granted: string | FileGrants | Reach): {
  root: string
  find(path: string): Place
} {
  const grants = toGrants(granted)
  const root = grants.real ? grants.root : realPath(resolve(grants.root))
  const rules = rulesOf(root, grants)
  const rootNames = splitNames(root)

  return {
    root,
    find(path) {
      const { absolute, names } = pathNames(path)
      const given = absolute ? names : [...rootNames, ...names]
      const named = narrowest(rules, given, 'given') ?? narrowest(rules, given, 'real')
      if (!named) throw new Refusal(outside(path, root, rules.length > 1))
      const real = startsWith(given, named.given)
        ? [...named.real, ...given.slice(named.given.length)]
        : given
      const rule = narrowest(rules, real, 'real') ?? named
      const outermost = rules
        .filter((other) => startsWith(real, other.real))
        .reduce((a, b) => (b.real.length < a.real.length ? b : a), rule)
      const start = outermost.real.length - (outermost.leaf ? 1 : 0)
      const refusal = whyReadOnly(rules, rule, real, path)
      return {
        base: absolutePath(real.slice(0, start)),
        names: real.slice(start),
        shown: startsWith(real, rootNames)
          ? real.slice(rootNames.length).join('/') || '.'
          : absolutePath(real),
        ...(refusal !== undefined && { read_only: refusal }),
        create_from: Math.max(0, rule.real.length - start - 1),
      }
    },
  }
}

function toGrants(granted: string | FileGrants | Reach): FileGrants {
  if (typeof granted === 'string') return { root: granted }
  if (!('context' in granted)) return granted
  return { root: granted.root, permission: granted.root_access, paths: granted.context, real: true }
}

function outside(path: string, root: string, more: boolean): string {
  const others = more ? ' and of the other paths that were granted' : ''
  return `${quote(path)} is outside the working folder ${quote(root)}${others}`
}

function rulesOf(root: string, grants: FileGrants): Rule[] {
  const real = grants.real ? (path: string) => path : realPath
  const own = rule(resolve(grants.root), root, grants.permission ?? 'write')
  const others = (grants.paths ?? []).flatMap((grant) => {
    const given = resolve(root, grant.path)
    const granted = rule(given, real(given), grant.permission)
    granted.leaf = isLeaf(granted.real)
    const spared = (grant.protected_paths ?? [])
      // Both readings of a relative path are protected: the wrong guess would leave one open.
      .flatMap((path) => [resolve(given, path), resolve(root, path)])
      .map((path) => ({ ...rule(path, real(path), 'read'), protected: true }))
      // Outside of the grant it would widen what may be read.
      .filter((spare) => startsWith(spare.real, granted.real))
    return [granted, ...spared]
  })
  return [own, ...others]
}

const rule = (given: string, real: string, permission: Permission): Rule => ({
  given: splitNames(given),
  real: splitNames(real),
  permission,
  protected: false,
  leaf: false,
})

function isLeaf(names: readonly string[]): boolean {
  const info = statSync(absolutePath(names), { throwIfNoEntry: false })
  return !info || info.isFile()
}

/** Of rules for the very same path the stricter one wins. */
function narrowest(
  rules: readonly Rule[],
  names: readonly string[],
  by: 'given' | 'real',
  same: Same = exactly,
): Rule | undefined {
  let found: Rule | undefined
  for (const rule of rules) {
    if (!startsWith(names, rule[by], same)) continue
    const deeper = rule[by].length - (found?.[by].length ?? -1)
    if (deeper > 0 || (deeper === 0 && rule.permission === 'read')) found = rule
  }
  return found
}

/**
 * A path that only differs in letter case from a read-only one is left alone too: on some file systems it is the same.
 */
function whyReadOnly(
  rules: readonly Rule[],
  rule: Rule,
  real: readonly string[],
  path: string,
): string | undefined {
  const folded = narrowest(rules, real, 'real', likely)
  const strict = rule.permission === 'read' ? rule : folded?.permission === 'read' ? folded : undefined
  if (!strict) return undefined
  const why = strict.protected ? 'the config protects it' : 'it was granted for reading only'
  return `${quote(path)} may not be changed: ${why}`
}

type Same = (a: string, b: string) => boolean

const exactly: Same = (a, b) => a === b

const likely: Same = (a, b) => a === b || fold(a) === fold(b)

const fold = (name: string): string => name.normalize('NFKC').toLowerCase()

const startsWith = (names: readonly string[], start: readonly string[], same: Same = exactly): boolean =>
  start.length <= names.length && start.every((name, index) => same(name, names[index] ?? ''))

const absolutePath = (names: readonly string[]): string =>
  sep === '\\' ? names.join(sep) + (names.length === 1 ? sep : '') : `/${names.join('/')}`

/** Of what is not there yet, the real path of the folder it would be in. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
