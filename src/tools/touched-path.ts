import { posix } from 'node:path'

/**
 * One spelling for a path of a call, for rules and people: from the folder when it is in there. By its letters only; the
 * file gateway decides where it really leads.
 */
export function touchedPath(path: string, folder: string): string {
  const whole = posix.resolve(folder, path)
  if (whole === folder) return '.'
  return whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : whole
}
