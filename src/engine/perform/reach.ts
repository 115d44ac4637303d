import type { Files } from '../../ports/files.ts'
import type { Shell } from '../../ports/shell.ts'
import type { FolderChanges, FolderWatch } from '../../ports/undo.ts'
import { touchedPath } from '../../tools/touched-path.ts'
import type { EngineParts } from '../parts.ts'
import type { TurnOrder } from '../turns.ts'

type Whose = Pick<TurnOrder, 'chat' | 'settings' | 'ownFiles'>

/** Where a turn's relative paths start: the chat's folder, or the workspace it was given. */
export const rootOf = ({ chat, settings }: Whose): string => settings.reach?.root ?? chat.folder

/** The files and the shell of a turn, which reach equally far. */
export function reachOf(
  { files, shell }: Pick<EngineParts, 'files' | 'shell'>,
  { chat, settings: { reach }, ownFiles = (given) => given }: Whose,
): { files: Files; shell: Shell } {
  if (!reach) return { files: files(chat.folder), shell }
  return {
    files: ownFiles(files(reach)),
    shell: { ...shell, run: (request) => shell.run({ ...request, reach }) },
  }
}

/** Watches everything a turn may write. Paths outside the root are absolute, as the file tools have them. */
export async function watchReach(watch: FolderWatch, order: Whose): Promise<() => Promise<FolderChanges>> {
  const root = rootOf(order)
  const places = writablePlaces(order)
  const ends = await Promise.all(places.map((place) => watch.begin(place)))
  return async () => {
    const changes = await Promise.all(ends.map((end) => end()))
    const notes = changes.flatMap(({ note }) => note ?? [])
    return {
      files: changes.flatMap(({ files }, index) => {
        const place = places[index] ?? root
        if (place === root) return files
        return files.map((file) => ({ ...file, path: touchedPath(`${place}/${file.path}`, root) }))
      }),
      ...(notes.length > 0 && { note: notes.join('\n') }),
    }
  }
}

/** Those that are in no other one. */
function writablePlaces({ chat, settings: { reach } }: Whose): string[] {
  if (!reach) return [chat.folder]
  const granted = [
    ...(reach.root_access === 'write' ? [reach.root] : []),
    ...reach.context.flatMap(({ path, permission }) => (permission === 'write' ? [path] : [])),
  ]
  const all = [...new Set(granted)]
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)))
}
