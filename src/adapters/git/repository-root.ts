import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder with `.git` that holds this one, if there is one; never above the home folder. Nothing in it is read. */
export function findRepositoryRoot(folder: string, home = homedir()): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === home || at === dirname(at)) return undefined
  }
}
