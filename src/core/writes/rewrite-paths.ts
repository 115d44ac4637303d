export interface PathRewrite {
  from: string
  to: string
}

/**
 * Replaces absolute paths in a text, such as those of a workspace by those of the user's folder. Only whole names:
 * `/w/a1` is found in `/w/a1/x`, `"/w/a1"` and at the end of a sentence, not in `/w/a10`, `/w/a1.bak` or `/old/w/a1`.
 */
export function rewritePaths(text: string, rewrites: readonly PathRewrite[]): string {
  const byFrom = new Map(
    rewrites.filter(({ from }) => trim(from) !== '').map(({ from, to }) => [trim(from), trim(to)]),
  )
  if (byFrom.size === 0) return text
  // The longest first, in one pass: what was put in is not looked at again.
  const names = [...byFrom.keys()].sort((a, b) => b.length - a.length).map(escape)
  const pattern = new RegExp(`${BEFORE}(?:${names.join('|')})${AFTER}`, 'gu')
  return text.replace(pattern, (found) => byFrom.get(found) ?? found)
}

const NAME = '[\\p{L}\\p{N}\\p{M}_~+@%$#-]'
/** Not in the middle of a longer path; `file://` may stand before one. */
const BEFORE = `(?:(?<!${NAME}|[./\\\\])|(?<=file://))`
/** The name ends here. Dots belong to it unless nothing of a name follows them. */
const AFTER = `(?!\\.*${NAME})`

const trim = (path: string): string => path.replace(/[/\\]+$/u, '')

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
