import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** Where programs keep what they remember; a program not listed here keeps it under its own name. */
const known: Record<string, string[]> = {
  'codex-acp': ['.codex'],
  'claude-code-acp': ['.claude', '.claude.json'],
  'claude-agent-acp': ['.claude', '.claude.json'],
  'pi-acp': ['.pi'],
}

const variables: Record<string, string> = {
  'codex-acp': 'CODEX_HOME',
  'claude-code-acp': 'CLAUDE_CONFIG_DIR',
}

/**
 * What an agent may write in Plan mode: the folders of its own state that exist, never one that holds the person's
 * folder or lies in it.
 */
export function statePaths(program: string, folder: string, given: readonly string[] = []): string[] {
  const name = basename(program).replace(/\.(exe|cmd|bat|m?js|ts)$/, '')
  const home = homedir()
  const named = process.env[variables[name] ?? '']
  const config = process.env['XDG_CONFIG_HOME'] ?? join(home, '.config')
  const usual = known[name]?.map((path) => join(home, path)) ?? [
    join(home, `.${name}`),
    ...[config, xdg('DATA', '.local/share'), xdg('STATE', '.local/state'), xdg('CACHE', '.cache')].map(
      (base) => join(base, name),
    ),
  ]
  const all = [...usual, ...(named ? [named] : []), ...given.map((path) => expand(path, home))]
  const existing = all.filter((path) => existsSync(path)).map((path) => realpathSync.native(path))
  return [...new Set(existing)].filter(
    (path) => path !== home && !overlaps(path, realpathSync.native(folder)),
  )
}

const xdg = (name: string, usual: string): string => process.env[`XDG_${name}_HOME`] ?? join(homedir(), usual)

const expand = (path: string, home: string): string => resolve(home, path.replace(/^~(?=\/|$)/, home))

const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** The folder of everything a program consists of: the outermost one that is a package, or just its own. */
export function packageOf(file: string, below: string): string {
  let found = dirname(file)
  for (let folder = found; folder.startsWith(`${below}/`); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) found = folder
  }
  return found
}
