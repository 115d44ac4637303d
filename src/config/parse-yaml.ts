import { type Document, Lexer, LineCounter, isAlias, isNode, isScalar, parseDocument, visit } from 'yaml'
import { hideKeys } from './hide-keys.ts'
import { type Locate, locator, placeOf } from './locate.ts'
import type { ConfigProblem } from './problem.ts'

export type ParsedYaml =
  | { ok: true; document: Document; value: unknown; at: Locate }
  | { ok: false; problems: ConfigProblem[] }

/** Deeper than any config; the parser's stack would end further down. */
const DEEPEST = 500
/** Some thousand lines of keys and values; a long text is one word. */
const MOST_TOKENS = 30_000
const MOST_PROBLEMS = 50

/** Reads YAML (or JSON) as data only: one document, no tags of its own, no repeated keys, no flood of aliases. */
export function parseYaml(file: string, source: string, { merge = false } = {}): ParsedYaml {
  const lines = new LineCounter()
  const at = locator(file, lines)
  const control = source.search(controls)
  if (control >= 0) {
    const suggestion = 'YAML takes none but tabs and line breaks'
    return refuse({ ...placeOf(file, source, control), message: 'holds a control character', suggestion })
  }
  const over = findExcess(source)
  if (over) return refuse({ ...placeOf(file, source, over.offset), message: over.message })
  let document: Document
  try {
    document = parseDocument(source, {
      lineCounter: lines,
      uniqueKeys: false,
      prettyErrors: false,
      merge,
      logLevel: 'error',
    })
  } catch (error) {
    return refuse({ file, line: 1, column: 1, message: `cannot be parsed: ${(error as Error).message}` })
  }
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) {
    const problems = faults.slice(0, MOST_PROBLEMS).map(({ pos, code, message }) => ({
      ...at(pos[0]),
      message: /call stack/.test(message)
        ? tooDeep
        : hideKeys(message.replace(/; please use YAML\..*$/, '').slice(0, 200)),
      ...(suggestions[code] && { suggestion: suggestions[code] }),
    }))
    return { ok: false, problems }
  }
  const badKeys = findBadKeys(document)
  if (badKeys.length > 0) {
    const problems = badKeys
      .slice(0, MOST_PROBLEMS)
      .map(({ offset, ...told }) => ({ ...at(offset), ...told }))
    return { ok: false, problems }
  }
  try {
    return { ok: true, document, value: document.toJS({ maxAliasCount: 100 }), at }
  } catch (error) {
    return refuse({ ...at(firstAlias(document)), message: (error as Error).message })
  }
}

const refuse = (problem: ConfigProblem): ParsedYaml => ({ ok: false, problems: [problem] })

const suggestions: Partial<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  MULTIPLE_DOCS: 'keep one document: everything before or after the line ---',
  BAD_INDENT: 'the entries of one map or list begin in the same column',
  BLOCK_AS_IMPLICIT_KEY: 'put text that holds ": " in quotes',
  TAG_RESOLVE_FAILED: 'tags such as !include are not carried out; leave them away',
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * What would keep the parser busy for long: too many words, or brackets, indicators of one line (`- - -`) or lines nested
 * too deeply. Those in texts count too.
 */
function findExcess(source: string): { offset: number; message: string } | undefined {
  let depth = 0
  for (let offset = 0; offset < source.length; offset++) {
    const character = source[offset]
    if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && depth > 0) depth--
    if (depth > DEEPEST) return { offset, message: tooDeep }
  }
  const deep = rows.exec(source)?.index ?? findDeepLine(source)
  if (deep !== undefined) return { offset: deep, message: tooDeep }
  let [tokens, offset] = [0, 0]
  for (const token of new Lexer().lex(source)) {
    if (++tokens > MOST_TOKENS) return { offset, message: 'is too much for a config from here on' }
    if (!markers.has(token)) offset += token.length
  }
  return undefined
}

/** Where a line is further in than the one before it, for the last time that is allowed. */
function findDeepLine(source: string): number | undefined {
  const columns: number[] = []
  for (const { 0: blank, index } of source.matchAll(/^ *(?=[^ \r\n])/gm)) {
    while ((columns.at(-1) ?? -1) >= blank.length) columns.pop()
    columns.push(blank.length)
    if (columns.length > DEEPEST) return index + blank.length
  }
  return undefined
}

/** What the lexer puts between the words of the source. */
const markers = new Set(['\u0002', '\u0018', '\u001f'])
const tooDeep = `is nested more than ${DEEPEST} deep`
const rows = new RegExp(`^ *(?:[-?:] +){${DEEPEST}}`, 'm')

function firstAlias(document: Document): number {
  let offset = 0
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) return undefined
      offset = node.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

interface BadKey {
  offset: number
  message: string
  suggestion: string
}

/** Keys that are there twice (the parser's own check compares every key with every other), and keys that are no words. */
function findBadKeys(document: Document): BadKey[] {
  const found: BadKey[] = []
  visit(document, {
    Map(_, { items, range }) {
      const seen = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) {
          const offset = (isNode(key) ? key.range?.[0] : range?.[0]) ?? 0
          found.push({ offset, message: 'a key must be a word', suggestion: 'put it in quotes' })
          return visit.BREAK
        }
        const name = String(key.value)
        const message = `Map keys must be unique: ${JSON.stringify(name)} is here twice`
        if (seen.has(name) && name !== '<<')
          found.push({ offset: key.range?.[0] ?? 0, message, suggestion: 'keep one of the two' })
        seen.add(name)
      }
      return undefined
    },
  })
  return found
}

/** Names that JavaScript gives a meaning of its own; no map has such a key. */
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** The reserved keys of a document, wherever they stand. */
export function findReservedKeys(document: Document): { key: string; offset: number }[] {
  const found: { key: string; offset: number }[] = []
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && typeof key.value === 'string' && reserved.has(key.value))
        found.push({ key: key.value, offset: key.range?.[0] ?? 0 })
    },
  })
  return found
}
