import { languageOf } from './language.ts'
import type { Word } from './words.ts'

/** Where the work may happen. Paths are relative to the project; none in `only` means everywhere. */
export interface Scope {
  only: string[]
  skip: string[]
}

/** Stands for every test file, whichever way the project names them. `<go>` stands for every file of that language. */
const TESTS = '<tests>'

export function inScope(path: string, scope: Scope): boolean {
  if (scope.skip.some((skipped) => covers(skipped, path))) return false
  return scope.only.length === 0 || scope.only.some((folder) => covers(folder, path))
}

/** A correction narrows: it adds to what is skipped, and its folders replace the ones asked for before. */
export function narrow(scope: Scope, correction: Scope): Scope {
  return {
    only: correction.only.length > 0 ? correction.only : scope.only,
    skip: [...new Set([...scope.skip, ...correction.skip])],
  }
}

/** In words that `scopeIn` reads back. Empty for everywhere. */
export function describeScope({ only, skip }: Scope): string {
  const list = (paths: string[]): string => paths.map((path) => path.replace(/[<>]/g, '')).join(' and ')
  const parts = []
  if (only.length > 0) parts.push(`only in ${list(only)}`)
  if (skip.length > 0) parts.push(`except ${list(skip)}`)
  return parts.join(' ')
}

/** Reads "in src and lib", "only in src/utils", "except the docs folder", "leave tests alone", … */
export function scopeIn(words: readonly Word[]): Scope {
  const scope: Scope = { only: [], skip: [] }
  let at = 0
  while (at < words.length) {
    const opening = openingAt(words, at)
    if (!opening) {
      at++
      continue
    }
    const { paths, next } = pathsFrom(words, at + opening.length)
    const list = scope[opening.list]
    // An approved plan says where it is kept; that is no place to work in.
    list.push(...paths.filter((path) => !list.includes(path) && !path.startsWith('.conclave')))
    at = next
  }
  return scope
}

const skipping =
  "except in|except for|except|but not in|but not|not in|excluding|exclude|skipping|skip|ignoring|ignore|without touching|without|don't touch|do not touch|leave out|leave|outside of|outside|other than"
    .split('|')
    .map((phrase) => phrase.split(' '))
const limiting = new Set(['in', 'inside', 'under', 'within', 'below'])
const limits = /^(?:limit|limited|restrict|restricted|stick|confine)$/

/** The words that begin a list of folders, and which list. */
function openingAt(words: readonly Word[], at: number): { list: keyof Scope; length: number } | undefined {
  const phrase = skipping.find((phrase) =>
    phrase.every((part, offset) => words[at + offset]?.lower === part && !words[at + offset]?.quoted),
  )
  if (phrase) return { list: 'skip', length: phrase.length }
  const word = words[at]
  if (!word || word.quoted) return undefined
  const isLimit =
    limiting.has(word.lower) ||
    (word.lower === 'to' && words.slice(Math.max(0, at - 4), at).some(({ lower }) => limits.test(lower)))
  return isLimit ? { list: 'only', length: 1 } : undefined
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const fillers = setOf(
  'the my our all any a anything everything under in inside within of that are only alone',
)
const joiners = setOf('and or & + nor plus')
const kinds = setOf('folder folders directory directories dir dirs file files path package module tree alone')
const whole = setOf(
  'project repo repository codebase code workspace place places this here it them everywhere order case whole entire',
)

const languages = setOf(
  'javascript typescript python go rust java ruby php css shell html kotlin swift c++ c#',
)

function pathsFrom(words: readonly Word[], from: number): { paths: string[]; next: number } {
  const paths: string[] = []
  let expecting = true
  let at = from
  for (; at < words.length; at++) {
    const word = words[at]
    if (!word || openingAt(words, at)?.list === 'skip') break
    if (joiners.has(word.lower)) expecting = true
    else if (paths.length > 0 && kinds.has(word.lower)) continue
    else if (expecting && !word.quoted && fillers.has(word.lower)) continue
    else if (expecting && (word.quoted || isPathLike(word, words[at + 1], paths.length))) {
      const path = asScopePath(word.text)
      if (path !== undefined) paths.push(path)
      expecting = false
    } else break
  }
  return { paths, next: Math.max(at, from) }
}

function isPathLike(word: Word, after: Word | undefined, found: number): boolean {
  if (whole.has(word.lower) || kinds.has(word.lower) || !/^[\w.@~/\\*-][\w.@+~/\\*-]*$/u.test(word.text))
    return false
  // After "and" a bare word is as likely a verb as a folder.
  return found === 0 || /[./]/.test(word.text) || after === undefined || kinds.has(after.lower)
}

function asScopePath(text: string): string | undefined {
  if (/^(?:tests?|specs?|test files?)$/i.test(text)) return TESTS
  if (languages.has(text.toLowerCase())) return `<${text.toLowerCase()}>`
  const path = text
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .replace(/\/\*+$/, '')
    .replace(/\/+$/, '')
  return path === '' || path === '.' ? undefined : path
}

/** `utils` also covers `src/utils/…`: people name the folder they see. `*.md` covers by ending. */
function covers(folder: string, path: string): boolean {
  if (folder === TESTS) return isTest(path)
  if (folder.startsWith('<')) return `<${languageOf(path).name.toLowerCase()}>` === folder
  if (folder.startsWith('*')) return path.endsWith(folder.replace(/^\*+/, ''))
  return `/${path}/`.includes(`/${folder}/`)
}

export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$|[a-z](?:Tests?|Spec)\.\w+$/.test(
    path,
  )
