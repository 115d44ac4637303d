import { type Call, MOST_CALLS } from './action.ts'
import type { Fact } from './evidence.ts'
import { findIdentifier } from './identifier.ts'
import { type Scope, inScope } from './scope.ts'
import { type Hit, normal, readHits } from './tool-output.ts'

export interface Search {
  /** Searches still to be made. */
  missing: Call[]
  /** Lines in scope that hold the name as a whole identifier, or are too long to tell. */
  hits: Hit[]
  /** The tool stopped before it had shown everything. */
  cut: boolean
  /** Why searching is not possible. */
  failed?: string
}

/** What is known about a name in a scope, from searches made at or after `since`. */
export function searchFor(name: string, scope: Scope, facts: readonly Fact[], since = 0): Search {
  const made = facts.slice(since).filter((fact) => isSearch(fact, name))
  const search: Search = { missing: [], hits: [], cut: false }
  for (const path of searchPaths(scope, facts, name)) {
    const fact = made.findLast(({ input }) => input['path'] === path)
    if (!fact) search.missing.push(searchCall(name, path))
    else if (!fact.success) search.failed = fact.output
    else {
      const { hits, cut } = readHits(fact.output)
      search.hits.push(...hits.filter((hit) => inScope(hit.path, scope) && mayHold(hit, name)))
      search.cut ||= cut
    }
  }
  return { ...search, missing: search.missing.slice(0, MOST_CALLS) }
}

/** Judged by the line alone; a comment or string that began above it shows only in the whole file. */
export function looksUsed(hit: Hit, name: string): boolean {
  const isCommentLine = /^\s*\*/.test(hit.text)
  const text = isCommentLine ? `/*${hit.text}` : hit.text
  return hit.clipped || findIdentifier(text, name, hit.path).some(({ isUse }) => isUse)
}

const mayHold = (hit: Hit, name: string): boolean =>
  hit.clipped || findIdentifier(hit.text, name, hit.path).length > 0

const isSearch = ({ tool, input }: Fact, name: string): boolean =>
  tool === 'search_code' && input['pattern'] === name

/** The folders asked for, each by itself; the whole project when one of them cannot be searched on its own. */
function searchPaths(scope: Scope, facts: readonly Fact[], name: string): (string | undefined)[] {
  const paths = scope.only.map(normal)
  const hasFailed = (path: string): boolean =>
    facts.some((fact) => isSearch(fact, name) && fact.input['path'] === path && !fact.success)
  const cannot = (path: string): boolean => /^[<*]/.test(path) || hasFailed(path)
  return paths.length === 0 || paths.some(cannot) ? [undefined] : paths
}

/** Code that others wrote, and our own records: never part of "everywhere". */
const FOREIGN = '!{node_modules,.venv,venv,.conclave}'
const MOST_RESULTS = 1_000

/** `whole_word` knows only letters, digits and `_`; names with more in them are told apart here. */
function searchCall(name: string, path: string | undefined): Call {
  const isWord = /^[\p{L}\p{N}_]+$/u.test(name)
  const input = { pattern: name, ...(path && { path }), ...(isWord && { whole_word: true }) }
  return { name: 'search_code', input: { ...input, glob: FOREIGN, max_results: MOST_RESULTS } }
}
