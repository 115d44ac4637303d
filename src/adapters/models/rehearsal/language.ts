/** What the planner must know of a language to tell one identifier from another. */
export interface Language {
  name: string
  /** Characters that belong to identifiers beside letters, digits and `_`. */
  extra: string
  /** Characters that may only end an identifier, as in Ruby's `empty?`. */
  endings: string
  lineComments: readonly string[]
  blockComments: readonly (readonly [string, string])[]
  /** Longest first. A quote of one character ends with its line, unless it is in `spanning`. */
  quotes: readonly string[]
  spanning: string
  /** Text for people: a plain word in it is not a use of a symbol. */
  prose?: boolean
}

const slashes = { lineComments: ['//'], blockComments: [['/*', '*/']] as const }
const hash = { lineComments: ['#'], blockComments: [] }
const plain = { extra: '', endings: '', spanning: '', quotes: ['"', "'"] }

const javascript: Language = {
  name: 'JavaScript',
  ...plain,
  ...slashes,
  extra: '$',
  quotes: ['"', "'", '`'],
  spanning: '`',
}
const triple = ['"""', "'''", '"', "'"]
const css: Language = { name: 'CSS', ...plain, lineComments: [], blockComments: [['/*', '*/']], extra: '-' }
const markup: Language = {
  name: 'HTML',
  ...plain,
  lineComments: [],
  blockComments: [['<!--', '-->']],
  extra: '-',
}
const lisp: Language = {
  name: 'Lisp',
  ...plain,
  lineComments: [';'],
  blockComments: [],
  quotes: ['"'],
  spanning: '"',
  extra: '-*!?<>=+/',
}
const shell: Language = { name: 'Shell', ...plain, ...hash, spanning: '"\'' }
const c: Language = { name: 'C', ...plain, ...slashes }
const data: Language = { name: 'data', ...plain, ...hash }
const prose: Language = {
  name: 'text',
  ...plain,
  lineComments: [],
  blockComments: [],
  quotes: [],
  prose: true,
}

const unknown: Language = { name: 'other', ...plain, ...hash, lineComments: ['#', '//'] }

const byExtension: Record<string, Language> = {
  ...spread('js jsx mjs cjs', javascript),
  ...spread('ts tsx mts cts', { ...javascript, name: 'TypeScript' }),
  ...spread('vue svelte astro', {
    ...javascript,
    name: 'Web component',
    blockComments: [
      ['/*', '*/'],
      ['<!--', '-->'],
    ],
  }),
  ...spread('py pyi pyw', { name: 'Python', ...plain, ...hash, quotes: triple }),
  ...spread('go', { ...c, name: 'Go', quotes: ['"', "'", '`'], spanning: '`' }),
  ...spread('rs', { ...c, name: 'Rust', quotes: ['"'], spanning: '"' }),
  ...spread('java', { ...c, name: 'Java', extra: '$', quotes: ['"""', '"', "'"] }),
  ...spread('kt kts', { ...c, name: 'Kotlin', quotes: ['"""', '"', "'"] }),
  ...spread('scala', { ...c, name: 'Scala', quotes: ['"""', '"', "'"] }),
  ...spread('swift', { ...c, name: 'Swift', quotes: ['"""', '"'] }),
  ...spread('c h', c),
  ...spread('cc cpp cxx hh hpp hxx ino', { ...c, name: 'C++' }),
  ...spread('cs', { ...c, name: 'C#', quotes: ['"""', '"', "'"] }),
  ...spread('dart', { ...c, name: 'Dart', extra: '$', quotes: triple }),
  ...spread('zig', { ...c, name: 'Zig' }),
  ...spread('rb rake gemspec', { name: 'Ruby', ...plain, ...hash, endings: '?!' }),
  ...spread('ex exs', { name: 'Elixir', ...plain, ...hash, endings: '?!', quotes: triple }),
  ...spread('php phtml', { ...c, name: 'PHP', extra: '$', lineComments: ['//', '#'], spanning: '"\'' }),
  ...spread('sh bash zsh ksh', shell),
  ...spread('pl pm', { ...shell, name: 'Perl' }),
  ...spread('r', { ...shell, name: 'R' }),
  ...spread('lua', { name: 'Lua', ...plain, lineComments: ['--'], blockComments: [['--[[', ']]']] }),
  ...spread('hs', {
    name: 'Haskell',
    ...plain,
    lineComments: ['--'],
    blockComments: [['{-', '-}']],
    endings: "'",
    quotes: ['"'],
  }),
  ...spread('sql', { name: 'SQL', ...plain, lineComments: ['--'], blockComments: [['/*', '*/']] }),
  ...spread('css', css),
  ...spread('scss sass less', { ...css, name: 'Sass', lineComments: ['//'] }),
  ...spread('html htm xml svg xhtml', markup),
  ...spread('clj cljs cljc lisp el scm rkt', lisp),
  ...spread('json jsonc json5', { ...data, name: 'JSON', lineComments: ['//'] }),
  ...spread('yml yaml', { ...data, name: 'YAML' }),
  ...spread('toml ini cfg conf env properties', data),
  ...spread('md mdx markdown rst txt adoc tex', prose),
}

const byName: Record<string, Language> = {
  ...spread('makefile gnumakefile dockerfile justfile', { ...shell, name: 'Build file' }),
  ...spread('rakefile gemfile', byExtension['rb'] ?? unknown),
  ...spread('readme license changelog authors contributing', prose),
}

export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  const found = dot > 0 ? own(byExtension, name.slice(dot + 1)) : undefined
  return found ?? own(byName, name) ?? unknown
}

/** Whether this ends like the name of a file we know: `notes.md`, `Makefile`, but not `cart.total`. */
export function isFileName(text: string): boolean {
  const name = text.slice(text.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  return dot >= 0 ? own(byExtension, name.slice(dot + 1)) !== undefined : own(byName, name) !== undefined
}

const own = (table: Record<string, Language>, key: string): Language | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

function spread(keys: string, language: Language): Record<string, Language> {
  return Object.fromEntries(keys.split(' ').map((key) => [key, language]))
}
