import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Args } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** The folder to work in. */
export function findFolder(args: Args): string {
  const folder = resolve(args.value('cd') ?? '.')
  let problem = ''
  try {
    if (!statSync(folder).isDirectory()) problem = 'it is not a folder'
  } catch (error) {
    problem =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : (error as Error).message
  }
  if (problem) throw new Exit(exitCodes.input, `cannot work in ${folder}: ${problem}`)
  return folder
}

export function findJournal(args: Args): string {
  const data = process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share')
  return join(args.value('data-dir') ?? join(data, 'conclave'), 'journal.db')
}

/** The config file that applies, if there is one. A file named on the command line must exist. */
export function findConfig(args: Args, folder: string): string | undefined {
  const named = args.value('config')
  if (named !== undefined) {
    if (!existsSync(named)) throw new Exit(exitCodes.config, `there is no config file ${named}`)
    return named
  }
  const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const places = [
    join(folder, 'conclave.yaml'),
    join(folder, '.conclave', 'config.yaml'),
    join(home, 'conclave', 'config.yaml'),
  ]
  return places.find((place) => existsSync(place))
}
