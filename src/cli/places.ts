import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Args } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** The folder to work in, by its real path: a chat is found again however one got there. */
export function findFolder(args: Args): string {
  const folder = resolve(args.value('cd') ?? '.')
  const refuse = (problem: string) => new Exit(exitCodes.input, `cannot work in ${folder}: ${problem}`)
  try {
    if (!statSync(folder).isDirectory()) throw refuse('it is not a folder')
    accessSync(folder, constants.R_OK | constants.X_OK)
    return realpathSync(folder)
  } catch (error) {
    if (error instanceof Exit) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refuse('it does not exist')
    throw refuse(code === 'EACCES' ? 'you have no permission to read it' : message)
  }
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
