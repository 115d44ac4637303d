import type { Write } from './diff-snapshots.ts'

/** More than these are only counted below the answer. */
const MOST_NAMED = 5

export const WRITES_FILE = 'context_path_writes.txt'

/** What stands below a final answer; undefined when nothing was written. */
export function writesFooter(writes: readonly Write[], log_dir: string): string | undefined {
  if (writes.length === 0) return undefined
  if (writes.length > MOST_NAMED) {
    return `${writes.length} files written to context paths\nFull list: ${log_dir}/${WRITES_FILE}`
  }
  return ['Files written to context paths:', ...writes.map((write) => `- ${writeLine(write)}`)].join('\n')
}

/** The text of the file with the full list; undefined when the footer names all of them. */
export function writesList(writes: readonly Write[]): string | undefined {
  if (writes.length <= MOST_NAMED) return undefined
  return writes.map((write) => `${writeLine(write)}\n`).join('')
}

/** One line, whatever the name: one with control characters is quoted, so that it cannot pass for another line. */
const writeLine = ({ path, change }: Write): string =>
  `${/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path} (${change})`
