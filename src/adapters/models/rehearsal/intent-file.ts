import type { FileIntent, Prompt } from './intent.ts'
import { isFileName } from './language.ts'
import { type Word, wordsOf } from './words.ts'

/** Orders that name one file and say what to do with it. They begin with their verb, or with "in FILE". */
export function parseFileIntent(prompt: Prompt): FileIntent | undefined {
  return parseCreate(prompt) ?? parseReplace(prompt) ?? parseAdd(prompt) ?? parseDelete(prompt)
}

const createVerb = /^(?:create|make|write|add|generate|save|put|touch)\b/i
const contentWord =
  /^[\s,;:]*(?:(?:and (?:write|put)|with|containing|that contains?|which contains?|contains?|holding|that says?|saying|that reads?|reading|whose contents? (?:is|are)|having|consisting of|and put)\b)?\s*(?:(?:just|only|exactly|the|this|these|following|single|one)\s+)*(?:(?:contents?|text|lines?|words?|body|data|in it|into it)\b)?\s*(?:(?:is|are|in it|being)\b)?[\s]*:?[ \t]*/i

/** "create notes/todo.md with the content …", "write 'hi' to a.txt", "make an empty file called x". */
function parseCreate({ text, words }: Prompt): FileIntent | undefined {
  if (!createVerb.test(text)) return undefined
  return contentFirst(text, words) ?? pathFirst(text, words)
}

function pathFirst(text: string, words: readonly Word[]): FileIntent | undefined {
  const at = words.findIndex((word, index) => index > 0 && isPathOf(word, words[index - 1]))
  const path = words[at]
  if (!path || !words.slice(1, at).every((word) => beforePath.has(word.lower))) return undefined
  if (words[0]?.lower === 'add' && !words.slice(1, at).some((word) => word.lower === 'file')) return undefined
  const rest = text.slice(path.end)
  const content = contentIn(rest)
  return content === undefined ? undefined : { kind: 'create', path: path.text, content }
}

const beforePath = new Set(
  'a an the new file empty text called named at as with name path me in into to document script blank markdown page'.split(
    ' ',
  ),
)

/** "write `hello` to notes.txt", "put the line x into a.txt", "save this as b.md: …" */
function contentFirst(text: string, words: readonly Word[]): FileIntent | undefined {
  if (!/^(?:write|put|save)\b/i.test(text)) return undefined
  const found = quotedPart(words, 1)
  const link = found ? words[found.next] : undefined
  const path = found ? firstPath(words, found.next + 1) : undefined
  if (!found || !link || !path || !/^(?:to|in|into|as)$/.test(link.lower)) return undefined
  return { kind: 'create', path: path.text, content: asLines(found.word.text) }
}

/** What a file shall hold; undefined when the prompt describes it instead of saying it. */
function contentIn(rest: string): string | undefined {
  const fenced = fencedBlock(rest)
  if (fenced !== undefined) return fenced
  const lead = contentWord.exec(rest)?.[0] ?? ''
  const body = rest.slice(lead.length).replace(/^\n+/, '').trimEnd()
  if (/^[\s.!]*$/.test(rest)) return ''
  if (!/[a-z:]|\n/i.test(lead)) return undefined
  const single = unquoted(body)
  return asLines(single ?? body)
}

/** "in README.md replace A with B", "replace A with B in README.md", "README.md: change A to B". */
function parseReplace({ text, words }: Prompt): FileIntent | undefined {
  const verb = words.findIndex(
    (word) => !word.quoted && /^(?:replace|change|substitute|swap)$/.test(word.lower),
  )
  const path = verb === -1 ? undefined : pathAround(words, verb)
  const start = words[verb]
  if (!path || !start) return undefined
  const body = (
    path.start < start.start ? text.slice(start.end) : text.slice(start.end, beforeLink(words, path))
  ).trim()
  const parts = splitAtLink(body)
  if (!parts || parts.old_text === '') return undefined
  return { kind: 'replace', path: path.text, ...parts }
}

function pathAround(words: readonly Word[], verb: number): Word | undefined {
  const first = words[0]
  const leading = words.slice(0, verb).find((word, at) => isPathOf(word, words[at - 1]))
  if (
    leading &&
    /^(?:in|inside|edit|update|open|modify|within|change|to|for|file)$/.test(
      first === leading ? 'in' : (first?.lower ?? ''),
    )
  ) {
    return leading
  }
  if (verb !== 0) return undefined
  return words.findLast((word, at) => at > 1 && isPathOf(word, words[at - 1]) && hasLinkBefore(words, at))
}

const hasLinkBefore = (words: readonly Word[], at: number): boolean =>
  words.slice(Math.max(0, at - 3), at).some((word) => /^(?:in|inside|of|within)$/.test(word.lower))

/** Where "… in the file PATH" begins. */
function beforeLink(words: readonly Word[], path: Word): number {
  const link = words.findLast(
    (word) => word.end <= path.start && /^(?:in|inside|of|within)$/.test(word.lower) && !word.quoted,
  )
  return link?.start ?? path.start
}

function splitAtLink(body: string): { old_text: string; new_text: string } | undefined {
  const words = wordsOf(body)
  const link = words.findIndex(
    (word, at) => at > 0 && !word.quoted && /^(?:with|by|to|into|for|->|=>|→)$/.test(word.lower),
  )
  const word = words[link]
  if (!word) return undefined
  return { old_text: literal(body.slice(0, word.start)), new_text: literal(body.slice(word.end)) }
}

/** "append … to FILE", "add the line … to FILE", "add to FILE: …", "prepend … to FILE". */
function parseAdd({ text, words }: Prompt): FileIntent | undefined {
  const verb = words[0]
  if (!verb || !/^(?:append|prepend|add|insert)$/.test(verb.lower)) return undefined
  const at =
    /^prepend$/.test(verb.lower) || /\b(?:at|to) the (?:top|start|beginning) of\b/i.test(text)
      ? 'start'
      : 'end'
  const path = targetOf(words)
  if (!path) return undefined
  const rest = text.slice(path.end)
  const fenced = fencedBlock(rest)
  const before = text.slice(verb.end, linkBefore(words, path)).trim()
  const saysText =
    /^(?:the |a |this |these |following |new )*(?:line|lines|text|sentence|entry|heading|comment|words?)\b/i.test(
      before,
    )
  const inline =
    before.replace(
      /^(?:(?:the|a|this|these|following|new)\s+)*(?:lines?|text|sentence|entry|words?)\b\s*:?\s*/i,
      '',
    ) || before
  const isOrder =
    verb.lower === 'append' || verb.lower === 'prepend' || saysText || unquoted(before) !== undefined
  const added = fenced ?? (inline !== '' && isOrder ? literal(inline) : afterColon(rest))
  if (added === undefined || added === '') return undefined
  return { kind: 'add', path: path.text, text: added.replace(/\n$/, ''), at }
}

/** The file an addition goes to: the path after the last "to", or in "add to FILE: …" the first. */
function targetOf(words: readonly Word[]): Word | undefined {
  const isTarget = (word: Word, at: number): boolean =>
    isPathOf(word, words[at - 1]) &&
    words.slice(Math.max(0, at - 5), at).some(({ lower }) => /^(?:to|of|into|in)$/.test(lower))
  return words[1]?.lower === 'to' ? words.find(isTarget) : words.findLast(isTarget)
}

function linkBefore(words: readonly Word[], path: Word): number {
  const links = words.filter((word) => word.end <= path.start && !word.quoted)
  let at = links.length - 1
  while (
    at > 0 &&
    /^(?:to|of|into|in|the|end|top|start|beginning|bottom|file|at|very)$/.test(links[at]?.lower ?? '')
  )
    at--
  return links[at + 1]?.start ?? path.start
}

const afterColon = (rest: string): string | undefined => {
  const body = /^\s*(?::|\n|with\b|saying\b)\s*([\s\S]+)$/.exec(rest)?.[1]
  return body === undefined ? undefined : literal(body)
}

/** "delete FILE", "remove the file x". */
function parseDelete({ words }: Prompt): FileIntent | undefined {
  const verb = words[0]
  if (!verb || !/^(?:delete|remove|rm|erase)$/.test(verb.lower)) return undefined
  const rest = words
    .slice(1)
    .filter((word) => word.quoted || !/^(?:the|file|a|my|named|called|please|-f)$/.test(word.lower))
  const [path] = rest
  const saysFile = words.some((word) => word.lower === 'file')
  if (rest.length !== 1 || !path || !(saysFile || isPathOf(path, undefined))) return undefined
  return { kind: 'delete', path: path.text }
}

const firstPath = (words: readonly Word[], from: number): Word | undefined =>
  words.find((word, at) => at >= from && isPathOf(word, words[at - 1]))

function isPathOf(word: Word, before: Word | undefined): boolean {
  if (word.text === '' || /[\n\0]|:\/\/|\s{2}/.test(word.text) || word.text.endsWith('/')) return false
  if (isFileName(word.text) || (/^[\w.@~-]+(?:\/[\w.@ ~-]+)+$/.test(word.text) && !word.text.includes(' ')))
    return true
  if (/^[\w-]*\.[A-Za-z]\w{0,9}$/.test(word.text) || /^\.[a-z][\w.-]+$/.test(word.text)) return true
  return (
    /^(?:file|called|named)$/.test(before?.lower ?? '') &&
    /^[\w.-]+$/.test(word.text) &&
    !stopWords.has(word.lower)
  )
}

const stopWords = new Set('with containing that which in to and called named for at as from by of'.split(' '))

function quotedPart(words: readonly Word[], from: number): { word: Word; next: number } | undefined {
  const at = words.findIndex((word, index) => index >= from && word.quoted)
  const word = words[at]
  return word ? { word, next: at + 1 } : undefined
}

function fencedBlock(text: string): string | undefined {
  const open = /(?:^|\n|\s)(`{3,}|~{3,})[^\n`]*\n/.exec(text)
  const fence = open?.[1]
  if (!open || fence === undefined) return undefined
  const start = open.index + open[0].length
  const close = text.indexOf(`\n${fence}`, start - 1)
  return close === -1 ? text.slice(start) : text.slice(start, close + 1)
}

/** The inside of one pair of quotes around everything; undefined when there is no such pair. */
function unquoted(text: string): string | undefined {
  const trimmed = text.trim().replace(/(["'`”’»])[.]$/, '$1')
  const pair = ['""', "''", '``', '“”', '‘’', '«»'].find(
    ([open, close]) => trimmed.startsWith(open ?? '') && trimmed.endsWith(close ?? ''),
  )
  return pair && trimmed.length >= 2 ? trimmed.slice(1, -1) : undefined
}

const literal = (text: string): string => unquoted(text) ?? text.trim()

const asLines = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
