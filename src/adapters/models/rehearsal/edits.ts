import { findIdentifier, renameIdentifier, replacementFor } from './identifier.ts'
import { type Edit, applyEdits } from './seen-file.ts'

/** Lines of context tried before an edit that replaces equal lines together. */
const CLOSE = 6
/** With more uses than this in a file, one edit for each way of using the name is easier to read and faster to apply. */
const MANY = 40

/**
 * The edits that rename a symbol in a file, in order. Each `old_text` occurs exactly once in the text as the edits
 * before it left it, or stands for all its occurrences where that renames nothing else.
 */
export function renameEdits(text: string, from: string, to: string, path: string): Edit[] {
  const target = renameIdentifier(text, from, to, path)
  const isRight = (result: string): boolean => renameIdentifier(result, from, to, path) === target
  const wanted = target.split('\n')
  const edits = sharedEdits(text, from, to, path, isRight)
  let current = applyEdits(text, edits)
  let lines = current.split('\n')
  for (const [index, line] of wanted.entries()) {
    if (lines[index] === line) continue
    const edit =
      uniqueEdit(current, lines, wanted, index, CLOSE) ??
      sharedEdit(current, lines[index] ?? '', line, isRight) ??
      uniqueEdit(current, lines, wanted, index, 2 * lines.length)
    if (!edit) continue
    edits.push(edit)
    current = applyEdits(current, [edit])
    if (edit.replace_all) lines = current.split('\n')
    else lines[index] = line
  }
  return edits
}

/** `old(`, ` old,` …: the name with the characters around it, which tell it from longer names. */
function sharedEdits(
  text: string,
  from: string,
  to: string,
  path: string,
  isRight: (result: string) => boolean,
): Edit[] {
  const uses = findIdentifier(text, from, path).filter(({ isUse }) => isUse)
  if (uses.length <= MANY) return []
  const replacement = replacementFor(from, to, path)
  const contexts = new Map<string, string>()
  for (const { at, length } of uses) {
    const before = text[at - 1] ?? '\n'
    const after = text[at + length] ?? '\n'
    const written = text.slice(at, at + length)
    const [left, right] = [before === '\n' ? '' : before, after === '\n' ? '' : after]
    contexts.set(left + written + right, left + replacement + right)
  }
  let current = text
  return [...contexts].flatMap(([old_text, new_text]) => {
    const edit = current.includes(old_text) ? sharedEdit(current, old_text, new_text, isRight) : undefined
    if (!edit) return []
    current = applyEdits(current, [edit])
    return [edit]
  })
}

function sharedEdit(
  current: string,
  old_text: string,
  new_text: string,
  isRight: (result: string) => boolean,
): Edit | undefined {
  const edit = { old_text, new_text, replace_all: true }
  return isRight(applyEdits(current, [edit])) ? edit : undefined
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
    if (current.indexOf(old_text, first + 1) !== -1) continue
    const renamed = lines.slice(start, end).with(index - start, wanted[index] ?? '')
    return { old_text, new_text: renamed.join('\n') }
  }
  return undefined
}
