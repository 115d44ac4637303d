import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of our own package, from the bundle as from the sources. */
export function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
