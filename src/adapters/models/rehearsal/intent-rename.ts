import { isIdentifier } from './identifier.ts'
import { isFileName } from './language.ts'
import type { Intent, Prompt } from './intent.ts'
import { scopeIn } from './scope.ts'
import type { Word } from './words.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const links = setOf('to into as -> => → with by --> becomes become')
const pronouns = setOf('it them that this those these everything each him both')
const kinds = setOf(
  'function functions method methods class classes variable variables constant constants const type types interface struct enum trait module symbol symbols identifier identifiers property properties field fields prop attribute parameter param argument arg component hook selector macro func def fn procedure subroutine helper object namespace package component css id keyword name global local public private static exported',
)
const fillers = setOf(
  'the a an all any every each single usage usages use uses occurrence occurrences reference references instance instances call calls caller callers mention mentions of from our my named called new old please existing and its across everywhere be being appearances',
)
const uses = setOf(
  'usage usages use uses occurrence occurrences reference references instance instances calls callers mentions appearances',
)
const connecting = setOf(
  'needs need has have ought should must is are was will would can could i we you want like to be find search for look and then also in where now project code file files wherever',
)
const anyway = /\b(?:anyway|regardless|even if|even though|force|nevertheless|overwrite|merge them)\b/i

/**
 * "Find all usages of function X and rename to Y", "rename the class `Foo` to `Bar` in src/", "change the name of x
 * into y", "X should be called Y", "replace every use of X with Y", … The old name stands after the verb, or before it
 * when the verb is followed by "it" or nothing.
 */
export function parseRename(prompt: Prompt): Intent | undefined {
  const { words, text } = prompt
  for (const order of orders(words)) {
    const names = isAboutFiles(words, order) ? undefined : namesOf(words, order)
    if (!names) continue
    const from = clean(names.from)
    const to = clean(names.to, from)
    if (!isIdentifier(from) || !isIdentifier(to)) continue
    const rest = words.filter((word) => word !== names.from && word !== names.to)
    const scope = scopeIn(rest)
    return { kind: 'rename', from, to, scope, force: anyway.test(text) }
  }
  return undefined
}

/** "rename the file a.js to b.js" is not about a symbol. */
function isAboutFiles(words: readonly Word[], { after }: Order): boolean {
  const first = words.slice(after).find((word) => word.quoted || !fillers.has(word.lower))
  if (!first) return false
  return !first.quoted && /^(?:files?|folders?|director(?:y|ies)|branch|repo(?:sitory)?)$/.test(first.lower)
    ? true
    : first.text.includes('/') || isFileName(first.text)
}

interface Order {
  /** Index of the first word after the verb. */
  after: number
  /** Index of the verb's first word. */
  verb: number
}

function orders(words: readonly Word[]): Order[] {
  return words.flatMap((word, at): Order[] => {
    if (word.quoted) return []
    if (/^(?:rename[sd]?|renaming)$/.test(word.lower)) return [{ verb: at, after: at + 1 }]
    const next = words.slice(at + 1, at + 5).map(({ lower }) => lower)
    if (
      /^(?:change|changing|alter|switch|update|set|modify)$/.test(word.lower) &&
      (next[0] === 'name' || next[1] === 'name')
    ) {
      return [{ verb: at, after: at + (next[0] === 'name' ? 2 : 3) }]
    }
    const replaces = /^(?:replace|replacing|change|changing|swap|substitute|convert|turn|update)$/.test(
      word.lower,
    )
    if (replaces && isAboutSymbols(words, at)) return [{ verb: at, after: at + 1 }]
    const isCalled =
      /^(?:called|named)$/.test(word.lower) && /^(?:be|now|is)$/.test(words[at - 1]?.lower ?? '')
    if (isCalled) return [{ verb: at, after: at + 1 }]
    return []
  })
}

/** "Replace" and "change" mean text unless the prompt speaks of uses, of a kind of symbol, or of the whole project. */
function isAboutSymbols(words: readonly Word[], verb: number): boolean {
  const lower = words.filter(({ quoted }) => !quoted).map((word) => word.lower)
  const near = words.slice(verb + 1, verb + 6)
  if (lower.some((word) => uses.has(word)) || lower.includes('everywhere')) return true
  return (
    near.some((word) => !word.quoted && kinds.has(word.lower)) ||
    /\b(?:across|whole|entire|codebase)\b/.test(lower.join(' '))
  )
}

function namesOf(words: readonly Word[], { verb, after }: Order): { from: Word; to: Word } | undefined {
  const isCalled = /^(?:called|named)$/.test(words[verb]?.lower ?? '')
  const link = isCalled ? verb : indexOfLink(words, after)
  if (link === undefined) return undefined
  const toIndex = nameIndex(words, link + 1, words.length)
  const to = toIndex === undefined ? undefined : words[toIndex]
  if (!to || toIndex === undefined) return undefined
  const between = nameIndex(words, after, link)
  const from =
    (between !== undefined && !pronouns.has(words[between]?.lower ?? '') ? words[between] : undefined) ??
    nameBefore(words, verb) ??
    nameAfter(words, toIndex + 1)
  return from && from !== to ? { from, to } : undefined
}

/** The first linking word that has something before it: in "rename to to from" the name is `to`. */
function indexOfLink(words: readonly Word[], from: number): number | undefined {
  const found = words.findIndex((word, at) => at >= from && !word.quoted && links.has(word.lower))
  if (found === -1) return undefined
  const next = words[found + 1]
  return found === from && next && !next.quoted && links.has(next.lower) ? found + 1 : found
}

function nameIndex(words: readonly Word[], from: number, to: number): number | undefined {
  let fallback: number | undefined
  for (let at = from; at < to; at++) {
    const word = words[at]
    if (!word) continue
    if (word.quoted || !(fillers.has(word.lower) || kinds.has(word.lower))) return at
    // "rename name to title": with nothing else there, the last of these words is the name itself.
    fallback = at
  }
  return fallback
}

/** "usages of function X", or else the last thing quoted, or the last word that can be a name: "X should be called". */
function nameBefore(words: readonly Word[], verb: number): Word | undefined {
  const before = words.slice(0, verb)
  const use = before.findIndex((word) => !word.quoted && uses.has(word.lower))
  const used = use === -1 ? undefined : before.slice(use + 1).find(canBeName)
  return used ?? before.findLast((word) => word.quoted) ?? before.findLast(canBeName)
}

const canBeName = (word: Word): boolean =>
  word.quoted || ![fillers, kinds, pronouns, connecting].some((set) => set.has(word.lower))

/** "rename to `Y` all usages of X" */
function nameAfter(words: readonly Word[], from: number): Word | undefined {
  const at = nameIndex(words, from, words.length)
  return at === undefined ? undefined : words[at]
}

/**
 * `calcTotal()`, `.btn`, `cart.total`, `Cart::total`: the name itself. A closing `?` or `!` is punctuation unless it
 * was quoted or the other name has it too.
 */
function clean(word: Word, other?: string): string {
  let name = word.text
    .trim()
    .replace(/\([^()]*\)[?!]*$/, '')
    .replace(/^[.#](?=[\p{L}_-])/u, '')
  name = name.split(/::|->|[.#](?=[^.#]*$)/).at(-1) ?? name
  const ending = /[?!]$/.exec(name)?.[0]
  if (ending && !word.quoted && other !== undefined && !other.endsWith(ending))
    name = name.replace(/[?!]+$/, '')
  return name
}
