import type { Assignment, Word, WordPart } from 'unbash'

export interface Argument {
  /** As it was written. */
  text: string
  /** What the program gets; absent when that shows only at run time. */
  value?: string
}

export function readWord({ text, value, parts }: Word): Argument {
  return !parts || parts.every(isFixed) ? { text, value } : { text }
}

/** `export NAME=value` and the like, seen as an argument. */
export function readAssignment({ text, value }: Assignment): Argument {
  if (value.type === 'ArrayValue') return { text }
  const { value: fixed } = readWord(value)
  return fixed === undefined ? { text } : { text, value: text }
}

/** One spelling for a word however it was quoted; a blank inside it does not look like the end of it. */
export function showArgument({ text, value }: Argument): string {
  if (value === undefined) return text
  return /^[\w@%+=:,./~^-]+$/u.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** An option with its value cut off: `--output=x` is `--output`. */
export const optionName = (argument: string): string => argument.split('=', 1)[0] ?? argument

function isFixed(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every((inner) => inner.type === 'Literal')
    case 'Glob':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return false
  }
}
