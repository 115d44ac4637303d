import { type Action, type Call, calls, done, firstOf, stuck } from './action.ts'
import type { Evidence } from './evidence.ts'
import { languageOf } from './language.ts'
import { describeFolder } from './summary-folder.ts'
import { type SummaryWork, definitionsIn, isCode, linesOf } from './summary-work.ts'
import { type SeenFile, firstLine, seenFiles } from './seen-file.ts'
import { isTest } from './scope.ts'
import { manifests } from './test-command.ts'
import { type Entry, readListing } from './tool-output.ts'
import { code, count, some } from './voice.ts'

/** Summarise a folder or file from what is there: names, sizes, manifests, the readme and a few entry points. */
export function nextForSummary(intent: { path: string }, evidence: Evidence): Action {
  const path = intent.path
  const listing = evidence.facts.findLast(
    ({ tool, input }) => tool === 'list_directory' && input['path'] === path,
  )
  const listed = listing?.success ? readListing(listing.output) : undefined
  const entries = listed?.entries
    .filter(isOwn)
    .map((entry) => (path === '.' ? entry : { ...entry, path: `${path}/${entry.path}` }))
  const files = seenFiles(evidence.facts)
  const work: SummaryWork = {
    path,
    entries,
    cut: listed?.cut ?? false,
    isListed: listing !== undefined,
    files,
    telling: entries ? tellingFiles(entries) : [path],
  }
  return firstOf(work, [list, read], report)
}

const isOwn = ({ path }: Entry): boolean =>
  !/(?:^|\/)(?:\.git|node_modules|\.conclave|\.venv|__pycache__|dist|build|out|target|coverage)(?:\/|$)/.test(
    path,
  )

const list = ({ path, isListed }: SummaryWork): Action | undefined =>
  isListed
    ? undefined
    : calls(`Listing ${path === '.' ? 'the project' : path}.`, [
        { name: 'list_directory', input: { path, depth: 3 } },
      ])

function read({ telling, files }: SummaryWork): Action | undefined {
  const unread = telling.filter((path) => !files.has(path))
  const reads = unread.map((path): Call => ({ name: 'read_file', input: { path, limit: 400 } }))
  return calls(`Reading ${some(unread, 6)}.`, reads)
}

function report(work: SummaryWork): Action {
  if (work.entries)
    return done(
      describeFolder(work, work.entries),
      `the summary rests on ${count(work.telling.length, 'file')} that were read`,
    )
  const file = work.files.get(work.path)
  const lines = linesOf(file)
  if (lines === undefined)
    return stuck(
      `I could not read ${work.path}: ${firstLine(file?.unreadable ?? 'it is not there')}.`,
      'failed',
    )
  return done(describeFile(work.path, lines, file), `${work.path} was read`)
}

function describeFile(path: string, lines: readonly string[], file: SeenFile | undefined): string {
  const total = file?.partial ? `more than ${lines.length} lines` : count(lines.length, 'line')
  const names = definitionsIn(lines)
  const imports = lines
    .filter((line) => /^\s*(?:import|from|use|using|require|#include|package)\b/.test(line))
    .map((line) => line.trim())
  return [
    `${path}: ${total} of ${languageOf(path).name}.`,
    names.length > 0 ? `Defines ${some(names.map(code), 15)}.` : 'I recognise no definitions in it.',
    imports.length > 0
      ? `Depends on:\n${some(
          imports.map((line) => `- ${line.slice(0, 100)}`),
          10,
          '\n',
        )}`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}

const readme = /^readme(?:\.\w+)?$/i
const moreManifests = new Set([
  ...manifests,
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'Gemfile',
  'CMakeLists.txt',
])
const entryPoint = /^(?:index|main|app|cli|server|mod|lib|__init__|__main__|Program|Main)\.\w+$/

function tellingFiles(entries: readonly Entry[]): string[] {
  const files = entries.filter(({ kind, bytes }) => kind === 'file' && bytes < 200_000)
  const depth = (path: string): number => path.split('/').length
  const byDepth = [...files].sort((a, b) => depth(a.path) - depth(b.path))
  const top = depth(byDepth[0]?.path ?? '')
  const named = (test: (name: string) => boolean, most: number): string[] =>
    byDepth
      .filter(({ path }) => test(path.slice(path.lastIndexOf('/') + 1)))
      .map(({ path }) => path)
      .slice(0, most)
  const isTop = (path: string): boolean => depth(path) === top
  const entryPoints = named((name) => entryPoint.test(name), 3)
  const largest = files
    .filter(({ path }) => isCode(path) && !isTest(path))
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ path }) => path)
  return [
    ...named((name) => readme.test(name), 1),
    ...named((name) => moreManifests.has(name), 3).filter(isTop),
    ...new Set([...entryPoints.slice(0, 2), ...largest].slice(0, 6)),
  ]
}
