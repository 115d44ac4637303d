import type { HereDoc, Script } from 'unbash'

/**
 * Whether all of a script's text is in what was parsed, but for separators, comments and here-documents. The parser is
 * made to be lenient: where it drops something without a word, we have not seen the whole command.
 */
export function isCovered(script: Script, source: string, heredocs: readonly HereDoc[]): boolean {
  const text = script.source ?? source
  const own = heredocs.filter(({ pos }) => pos >= script.pos && pos < script.end)
  const ranges: [number, number][] = [
    ...script.commands.map(({ pos, end }): [number, number] => [pos, end]),
    ...own.map(({ body, closing }): [number, number] => [body.pos, closing?.end ?? body.end]),
  ]
  if (own.length > 0) ranges.sort(([a], [b]) => a - b)
  let seen = script.pos
  for (const [start, end] of [...ranges, [script.end, script.end]]) {
    if (start !== undefined && start > seen && !isSeparator(text.slice(seen, start))) return false
    if (end !== undefined && end > seen) seen = end
  }
  return true
}

const isSeparator = (text: string): boolean =>
  text
    .split('\n')
    .every((line) => /^[\s;&]*$/u.test(line) || /^[\s;&]*#/u.test(line) || /^[\s;&]*\\$/u.test(line))
