import { renameIdentifier } from './identifier.ts'
import type { Edit } from './seen-file.ts'

/** Lines of context tried before an edit that replaces equal lines together. */
const CLOSE = 6

/**
 * The edits that rename a symbol in a file, in order. Each `old_text` occurs exactly once in the text as the edits
 * before it left it; where equal passages cannot be told apart by their neighbours they are replaced together.
 */
export function renameEdits(text: string, from: string, to: string, path: string): Edit[] {
  const target = renameIdentifier(text, from, to, path)
  const lines = text.split('\n')
  const wanted = target.split('\n')
  const edits: Edit[] = []
  let current = text
  for (const [index, line] of wanted.entries()) {
    if (lines[index] === line) continue
    const edit =
      uniqueEdit(current, lines, wanted, index, CLOSE) ??
      sharedEdit(
        current,
        lines,
        wanted,
        index,
        (result) => renameIdentifier(result, from, to, path) === target,
      ) ??
      uniqueEdit(current, lines, wanted, index, lines.length)
    if (!edit) continue
    edits.push(edit)
    current = edit.replace_all
      ? current.replaceAll(edit.old_text, () => edit.new_text)
      : current.replace(edit.old_text, () => edit.new_text)
    for (const [at, changed] of current.split('\n').entries()) lines[at] = changed
  }
  return edits
}

/** The line, with as many neighbours as it takes to occur once. */
function uniqueEdit(
  current: string,
  lines: readonly string[],
  wanted: readonly string[],
  index: number,
  most: number,
): Edit | undefined {
  for (let extra = 0; extra <= most; extra++) {
    const start = Math.max(0, index - Math.floor(extra / 2))
    const end = Math.min(lines.length, index + 1 + Math.ceil(extra / 2))
    const old_text = lines.slice(start, end).join('\n')
    const first = current.indexOf(old_text)
    if (current.indexOf(old_text, first + 1) === -1)
      return { old_text, new_text: wanted.slice(start, end).join('\n') }
  }
  return undefined
}

function sharedEdit(
  current: string,
  lines: readonly string[],
  wanted: readonly string[],
  index: number,
  isRight: (result: string) => boolean,
): Edit | undefined {
  const old_text = lines[index] ?? ''
  const new_text = wanted[index] ?? ''
  const isSafe = isRight(current.replaceAll(old_text, () => new_text))
  return isSafe ? { old_text, new_text, replace_all: true } : undefined
}
