import { type Action, calls, done, firstOf, stuck } from './action.ts'
import { describeCorrections } from './corrections.ts'
import type { Evidence, Fact } from './evidence.ts'
import type { UsagesIntent } from './intent.ts'
import { describeScope } from './scope.ts'
import { type Search, looksUsed, searchFor } from './searching.ts'
import { type Hit, readPage } from './tool-output.ts'
import { type Role, roleOf } from './usage-role.ts'
import { code, count, some } from './voice.ts'

interface UsagesWork {
  intent: UsagesIntent
  evidence: Evidence
  search: Search
  hits: Usage[]
  /** The first few, each with what was read around it. */
  definitions: (Usage & { around: Fact | undefined })[]
}

type Usage = Hit & { role: Role }

/** Definitions to look at; more than these are listed, not read. */
const LOOKED_AT = 3
const LINES_ABOVE = 6

/** Find a symbol and explain where it is defined and who uses it. */
export function nextForUsages(intent: UsagesIntent, evidence: Evidence): Action {
  const search = searchFor(intent.name, intent.scope, evidence.facts)
  const hits = search.hits
    .filter((hit) => looksUsed(hit, intent.name))
    .map((hit) => ({ ...hit, role: roleOf(hit, intent.name) }))
  const definitions = hits
    .filter(({ role }) => role === 'definition')
    .map((hit) => ({ ...hit, around: readAround(hit, evidence.facts) }))
  return firstOf(
    { intent, evidence, search, hits, definitions },
    [look, stopIfUnused, readDefinitions],
    report,
  )
}

const firstLineAround = ({ line }: Hit): number => Math.max(1, line - LINES_ABOVE)

const readAround = (hit: Hit, facts: readonly Fact[]): Fact | undefined =>
  facts.find(
    ({ tool, input }) =>
      tool === 'read_file' && input['path'] === hit.path && input['offset'] === firstLineAround(hit),
  )

function look({ intent, search }: UsagesWork): Action | undefined {
  const where = describeScope(intent.scope)
  return calls(`Searching for ${code(intent.name)}${where && ` ${where}`}.`, search.missing)
}

function stopIfUnused({ intent, search, hits }: UsagesWork): Action | undefined {
  if (search.failed !== undefined) return stuck(`The search failed: ${search.failed}`, 'failed')
  if (hits.length > 0) return undefined
  const where = describeScope(intent.scope)
  const text = `I found no use of ${code(intent.name)}${where && ` ${where}`}. Names are matched exactly and whole, upper and lower case included; ignored and binary files are not searched.`
  return done(text, `the search found no use of ${code(intent.name)}`)
}

/** Only the lines around a definition: enough to say what its author says of it. */
function readDefinitions({ definitions, evidence }: UsagesWork): Action | undefined {
  if (!evidence.offered.has('read_file')) return undefined
  const unread = definitions.slice(0, LOOKED_AT).filter(({ around }) => !around)
  const reads = unread.map((hit) => ({
    name: 'read_file',
    input: { path: hit.path, offset: firstLineAround(hit), limit: 2 * LINES_ABOVE },
  }))
  return calls('Reading where it is defined.', reads)
}

function report({ intent, search, hits, definitions, evidence }: UsagesWork): Action {
  const { name } = intent
  const paths = [...new Set(hits.map(({ path }) => path))]
  const text = [
    `${code(name)} is found ${count(hits.length, 'time')} in ${count(paths.length, 'file')}${search.cut ? ' (the search stopped at its limit; there are more)' : ''}.`,
    describeDefinitions(definitions),
    describeUsers(hits),
    '',
    ...paths.slice(0, 40).map((path) => describeFile(path, hits)),
    paths.length > 40 ? `- … and ${paths.length - 40} more files` : '',
    describeCorrections(evidence.corrections, describeScope(intent.scope)),
  ]
  const answer = text.filter((line, index) => line !== '' || index === 3).join('\n')
  return done(answer, `the search showed every use of ${code(name)}`)
}

function describeDefinitions(definitions: UsagesWork['definitions']): string {
  if (definitions.length === 0) {
    return 'I see no definition of it here: it may come from a library, or be defined in a way I do not recognise.'
  }
  const places = definitions.map(
    ({ path, line, text }) => `${path}:${line} (${code(text.trim().slice(0, 100))})`,
  )
  const comments = definitions.map(commentOn).filter(Boolean)
  const says =
    comments.length > 0
      ? ` Its comment says: ${some(
          comments.map((comment) => `"${comment}"`),
          2,
        )}`
      : ''
  return `Defined in ${some(places, 4)}.${says}`
}

const commentLine = /^\s*(?:\/\/+!?|\/\*+|\*+\/?|#+|--+|;+|"{3}|'{3})\s?/

/** The comment that ends on the line above a definition, without its marks. */
function commentOn(definition: UsagesWork['definitions'][number]): string {
  if (!definition.around?.success) return ''
  const lines = readPage(definition.around.output).lines.slice(
    0,
    definition.line - firstLineAround(definition),
  )
  const start = lines.findLastIndex((line) => !commentLine.test(line)) + 1
  const words = lines.slice(start).map((line) =>
    line
      .replace(commentLine, '')
      .replace(/\*+\/\s*$/, '')
      .trim(),
  )
  return words.join(' ').trim().slice(0, 200)
}

function describeUsers(hits: readonly Usage[]): string {
  const filesWith = (role: Role): string[] => [
    ...new Set(hits.filter((hit) => hit.role === role).map(({ path }) => path)),
  ]
  const users = filesWith('use')
  const importers = filesWith('import')
  const mentions = [...new Set([...filesWith('comment'), ...filesWith('string'), ...filesWith('prose')])]
  return [
    users.length > 0 ? `Used in code in ${some(users, 6)}.` : 'Nothing uses it in code.',
    importers.length > 0 ? `Imported by ${some(importers, 6)}.` : '',
    mentions.length > 0 ? `Mentioned in comments, strings or text in ${some(mentions, 6)}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function describeFile(path: string, hits: readonly Usage[]): string {
  const lines = hits
    .filter((hit) => hit.path === path)
    .map(({ line, role }) =>
      role === 'use' ? String(line) : `${line} (${role === 'prose' ? 'text' : role})`,
    )
  return `- ${path}: ${lines.length === 1 ? 'line' : 'lines'} ${some(lines, 20)}`
}
