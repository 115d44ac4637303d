import type { Fact } from './evidence.ts'
import { normal, readPage } from './tool-output.ts'

/** What is known of one file's text, followed through reads and edits. Line ends are `\n` here, whatever the file has. */
export interface SeenFile {
  /** The whole text as it must be now; absent while unread or in doubt. */
  text?: string
  /** The whole text as it was first read. */
  original?: string
  /** The pages read so far, when more are needed. */
  partial?: { lines: string[]; next: number; total: number }
  /** Why its text cannot be known. */
  unreadable?: string
  /** Edits of it that failed, newest last, with the text they were made for. */
  failures: { output: string; text: string }[]
}

export interface Edit {
  old_text: string
  new_text: string
  replace_all?: boolean
}

export function seenFiles(facts: readonly Fact[]): Map<string, SeenFile> {
  const files = new Map<string, SeenFile>()
  for (const fact of facts) {
    const path = typeof fact.input['path'] === 'string' ? normal(fact.input['path']) : undefined
    if (path === undefined) continue
    const before = files.get(path) ?? { failures: [] }
    if (fact.tool === 'read_file') files.set(path, afterRead(before, fact))
    if (fact.tool === 'update_file') files.set(path, afterUpdate(before, fact))
  }
  return files
}

/** Refused by a person or a rule: asking again would be a way around it. */
export const isRefusal = (output: string): boolean =>
  /^(?:Refused|Not run|Denied)\b|\b(?:denied|not allowed|is protected)\b/i.test(output)

export const isInterruption = (output: string): boolean => /^Interrupted\b/.test(output)

export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce(
    (current, { old_text, new_text, replace_all }) =>
      replace_all ? current.replaceAll(old_text, () => new_text) : current.replace(old_text, () => new_text),
    text,
  )
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

function afterRead(file: SeenFile, { input, output, success }: Fact): SeenFile {
  const { failures, original, partial } = file
  const known = { failures, ...(original !== undefined && { original }) }
  const first = typeof input['offset'] === 'number' ? input['offset'] : 1
  // A page that does not follow on what was read so far was asked for ahead and guessed wrong.
  if (first > 1 && partial?.next !== first) return file
  if (!success) return { ...known, unreadable: firstLine(output) }
  const page = readPage(output)
  if (page.inexact !== undefined) return { ...known, unreadable: page.inexact }
  const lines = first > 1 && partial ? [...partial.lines, ...page.lines] : page.lines
  if (page.next !== undefined) {
    return { ...known, partial: { lines, next: page.next, total: page.total ?? 0 } }
  }
  const text = lines.join('\n')
  return { failures, text, original: original ?? text }
}

function afterUpdate(file: SeenFile, { input, output, success }: Fact): SeenFile {
  const { text = '', ...rest } = file
  if (!success) return { ...rest, failures: [...file.failures, { output, text }] }
  return { ...rest, text: applyEdits(text, input['edits'] as Edit[]) }
}
