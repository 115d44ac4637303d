import { type Language, isFileName } from './language.ts'
import type { Span } from './literal.ts'

/**
 * Whether a name at this place is part of a file or module name: `'./calcTotal.js'`, `#include "total.h"`,
 * `from total import …`. Files keep their names when a symbol is renamed, so these stay.
 */
export function isFileReference(
  text: string,
  at: number,
  name: string,
  language: Language,
  span: Span | undefined,
): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(lineStart, at)
  if (language.name === 'Python' && !span) return /^\s*(?:from\s+[\w.]*|import\s+[\w.,\s]*)$/.test(before)
  const mayBePath =
    span !== undefined || language.prose || language.name === 'HTML' || /^\s*#\s*include\b/.test(before)
  if (!mayBePath) return false
  const path = pathAround(text, at, at + name.length)
  return isFileName(path) || (span?.kind === 'string' && path.includes('/'))
}

const LONGEST_PATH = 300

function pathAround(text: string, start: number, end: number): string {
  const isPart = (character: string | undefined): boolean =>
    character !== undefined && /[^\s"'`()<>[\]{},;=|*]/.test(character)
  let from = start
  while (start - from < LONGEST_PATH && isPart(text[from - 1])) from--
  let to = end
  while (to - end < LONGEST_PATH && isPart(text[to])) to++
  return text.slice(from, to).replace(/[.:!?]+$/, '')
}
