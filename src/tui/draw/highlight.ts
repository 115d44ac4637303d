import type { Style, Theme } from './theme.ts'

/** Colours a line of code by comments, strings, numbers and words that most languages share. */
export function highlightLine(theme: Theme, safe: string, language = ''): string {
  if (language === 'diff') return theme.wrap(diffStyle(safe), safe)
  const pattern = hashComments.has(language) ? withHash : withSlash
  let out = ''
  let last = 0
  for (const match of safe.matchAll(pattern)) {
    out += theme.wrap('code', safe.slice(last, match.index))
    out += theme.wrap(styleOf(match.groups ?? {}), match[0])
    last = match.index + match[0].length
  }
  return out + theme.wrap('code', safe.slice(last))
}

export function diffStyle(line: string): 'accent' | 'added' | 'removed' | 'dim' {
  if (line.startsWith('@@')) return 'accent'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'dim'
}

const hashComments = new Set([
  'python',
  'py',
  'sh',
  'bash',
  'shell',
  'yaml',
  'yml',
  'toml',
  'ruby',
  'rb',
  'make',
  '',
])

const words =
  'abstract as async await break case catch class const continue def default defer del do elif else enum except ' +
  'export extends false final finally fn for from func function go if impl implements import in instanceof interface ' +
  'is lambda let loop match mod module new nil none not null of or package pass private protected pub public raise ' +
  'return select self static struct super switch then this throw trait true try type typeof undefined use var void ' +
  'while with yield'

const make = (comment: string) =>
  new RegExp(
    `(?<comment>${comment})|(?<string>"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|` +
      `(?<number>\\b\\d[\\w.]*\\b)|(?<keyword>\\b(?:${words.replaceAll(' ', '|')})\\b)`,
    'g',
  )

const withHash = make('(?:^|(?<=\\s))#.*$')
const withSlash = make('//.*$|/\\*.*?\\*/')

function styleOf(groups: Record<string, string | undefined>): Style {
  if (groups['comment'] !== undefined) return 'comment'
  if (groups['string'] !== undefined) return 'string'
  return groups['number'] === undefined ? 'keyword' : 'number'
}
