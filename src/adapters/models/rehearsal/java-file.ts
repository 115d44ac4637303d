import type { RenameIntent } from './intent.ts'
import type { FileWork } from './rename-work.ts'

/** The commands that give a renamed Java class the file name the language asks for. They keep the bytes as they are. */
export function javaMoves(targets: readonly FileWork[], { from, to }: RenameIntent): string[] {
  return targets
    .filter(({ path, state }) => state === 'done' && `/${path}`.endsWith(`/${from}.java`))
    .map(
      ({ path }) => `mv -n -- ${quote(path)} ${quote(`${path.slice(0, -`${from}.java`.length)}${to}.java`)}`,
    )
}

const quote = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`
