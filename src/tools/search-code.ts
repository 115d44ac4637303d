import { isAbsolute } from 'node:path'
import type { FileInfo } from '../ports/files.ts'
import { ripgrep } from './ripgrep.ts'
import type { Match, SearchResult } from './ripgrep.ts'
import { showPath } from './show-path.ts'
import { defineTool, failed } from './tool.ts'
import { touchedPath } from './touched-path.ts'

const DEFAULT_RESULTS = 100

export const searchCode = defineTool({
  name: 'search_code',
  read_only: true,
  description:
    'Find lines that contain a text, as path:line:text. Looks in all text files that .gitignore does not exclude.',
  input: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: { type: 'string', description: 'File or folder to look in; the working folder if absent.' },
      glob: { type: 'string', description: 'Only files like this, such as *.ts or src/**/*.md.' },
      regex: { type: 'boolean', description: 'The pattern is a regular expression, not literal text.' },
      whole_word: { type: 'boolean' },
      ignore_case: { type: 'boolean' },
      max_results: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000,
        description: `${DEFAULT_RESULTS} if absent.`,
      },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  access: ({ path = '.' }, folder) => [{ kind: 'read', path: touchedPath(path, folder) }],
  async run(input, { files, signal }) {
    if (input.pattern === '') return failed('the pattern is empty; give the text to look for')
    if (/[\n\0]/u.test(input.pattern)) {
      return failed('the pattern has a line break or NUL in it; search is line by line, so look for one line')
    }
    const place = await files.stat(input.path ?? '.')
    if ('refused' in place) return failed(place.refused)
    if (place.kind === 'other') return failed(`${place.path} is neither a file nor a folder`)

    const limit = input.max_results ?? DEFAULT_RESULTS
    const result = await ripgrep(searchArguments(input, place), { cwd: files.root, limit, signal })
    if (result.cut === 'cancel') return failed('cancelled')
    if (result.error !== undefined && result.matches.length === 0) {
      return failed(`the search failed: ${result.error}`)
    }
    return { success: true, output: showMatches(result, input.pattern, place, limit) }
  },
})

interface Search {
  pattern: string
  glob?: string
  regex?: boolean
  whole_word?: boolean
  ignore_case?: boolean
}

/**
 * Git's own folder comes last among the globs, so that no glob of the model can bring it back. Our own records are left out
 * unless they are asked for: a plan to rename something would find itself.
 */
const searchArguments = (search: Search, place: FileInfo): string[] => [
  '--hidden',
  '--no-require-git',
  ...(search.regex ? [] : ['--fixed-strings']),
  ...(search.whole_word ? ['--word-regexp'] : []),
  ...(search.ignore_case ? ['--ignore-case'] : []),
  ...(search.glob ? [`--glob=${search.glob}`] : []),
  ...(place.path.startsWith('.conclave') ? [] : ['--glob=!/.conclave/{plans,logs}']),
  '--glob=!.git',
  '--',
  search.pattern,
  place.path === '.' ? './' : isAbsolute(place.path) ? place.path : `./${place.path}`,
]

function showMatches(result: SearchResult, pattern: string, place: FileInfo, limit: number): string {
  const where = place.path === '.' ? '' : ` in ${showPath(place.path)}`
  const lines = result.matches
    .sort(byPlace)
    .map(({ path, line, text }) => `${showPath(path)}:${line}:${text}`)
  if (result.cut === 'limit') {
    lines.push(`… and more: stopped after ${limit} matches; narrow the search or raise max_results`)
  }
  if (result.cut === 'timeout') lines.push('… and perhaps more: the search took too long; narrow it')
  if (lines.length === 0) lines.push(`no matches for ${JSON.stringify(pattern)}${where}`)
  if (result.error !== undefined) lines.push(`(not everything was searched: ${result.error})`)
  return lines.join('\n')
}

const byPlace = (a: Match, b: Match): number =>
  a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1
