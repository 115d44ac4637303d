import { type Action, MOST_CALLS, calls, done, firstOf, stuck } from './action.ts'
import type { Evidence } from './evidence.ts'
import { type Place, findIdentifier } from './identifier.ts'
import type { UsagesIntent } from './intent.ts'
import { languageOf } from './language.ts'
import { correctionsOf } from './rename-report.ts'
import { describeScope } from './scope.ts'
import { type Search, looksUsed, searchFor } from './searching.ts'
import { type SeenFile, seenFiles } from './seen-file.ts'
import type { Hit } from './tool-output.ts'
import { code, count, some } from './voice.ts'

interface UsagesWork {
  intent: UsagesIntent
  evidence: Evidence
  search: Search
  hits: (Hit & { role: Role })[]
  files: ReadonlyMap<string, SeenFile>
}

type Role = 'definition' | 'import' | 'use' | 'comment' | 'string' | 'prose'

/** Find a symbol and explain where it is defined and who uses it. */
export function nextForUsages(intent: UsagesIntent, evidence: Evidence): Action {
  const search = searchFor(intent.name, intent.scope, evidence.facts)
  const hits = search.hits
    .filter((hit) => looksUsed(hit, intent.name))
    .map((hit) => ({ ...hit, role: roleOf(hit, intent.name) }))
  return firstOf(
    { intent, evidence, search, hits, files: seenFiles(evidence.facts) },
    [look, stopIfUnused, readDefinition],
    report,
  )
}

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

/** Only the lines around each definition: enough to say what it is. */
function readDefinition({ hits, files, evidence }: UsagesWork): Action | undefined {
  if (!evidence.offered.has('read_file')) return undefined
  const asked = (path: string): boolean =>
    evidence.facts.some(({ tool, input }) => tool === 'read_file' && input['path'] === path)
  const unread = hits.filter(({ role, path }) => role === 'definition' && !files.has(path) && !asked(path))
  const reads = unread.slice(0, Math.min(3, MOST_CALLS)).map(({ path, line }) => ({
    name: 'read_file',
    input: { path, offset: Math.max(1, line - 6), limit: 24 },
  }))
  return calls('Reading where it is defined.', reads)
}

function report({ intent, search, hits, evidence }: UsagesWork): Action {
  const { name } = intent
  const definitions = hits.filter(({ role }) => role === 'definition')
  const paths = [...new Set(hits.map(({ path }) => path))]
  const text = [
    `${code(name)} is found ${count(hits.length, 'time')} in ${count(paths.length, 'file')}${search.cut ? ' (the search stopped at its limit; there are more)' : ''}.`,
    describeDefinitions(definitions),
    describeUsers(hits),
    '',
    ...paths.slice(0, 40).map((path) => describeFile(path, hits)),
    paths.length > 40 ? `- … and ${paths.length - 40} more files` : '',
    correctionsOf(evidence.corrections, describeScope(intent.scope)),
  ]
  const answer = text.filter((line, index) => line !== '' || index === 3).join('\n')
  return done(answer, `the search showed every use of ${code(name)}`)
}

function describeDefinitions(definitions: readonly Hit[]): string {
  if (definitions.length === 0)
    return 'I see no definition of it here: it may come from a library, or be defined in a way I do not recognise.'
  const places = definitions.map(
    ({ path, line, text }) => `${path}:${line} (${code(text.trim().slice(0, 100))})`,
  )
  return `Defined in ${some(places, 4)}.`
}

function describeUsers(hits: readonly (Hit & { role: Role })[]): string {
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

function describeFile(path: string, hits: readonly (Hit & { role: Role })[]): string {
  const lines = hits
    .filter((hit) => hit.path === path)
    .map(({ line, role }) =>
      role === 'use' ? String(line) : `${line} (${role === 'prose' ? 'text' : role})`,
    )
  return `- ${path}: ${lines.length === 1 ? 'line' : 'lines'} ${some(lines, 20)}`
}

function roleOf(hit: Hit, name: string): Role {
  const [place] = findIdentifier(/^\s*\*/.test(hit.text) ? `/*${hit.text}` : hit.text, name, hit.path)
  if (!place || place.kind === 'code') return place ? roleInCode(hit, place) : 'use'
  return place.kind
}

const definer =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|union|impl|def|defp?|fn|func|fun|sub|module|namespace|record|const|let|var|val|static|define|defn|defun|macro_rules!|typedef|object|protocol|mod)\s+(?:\([^()]*\)\s*)?(?:self\.|\*|&|mut\s+)*$/
const importer =
  /^\s*(?:import|from|use|using|require|include|#include|export\s*\{|export\s+\*|const\s*\{[^}]*\}\s*=\s*require)/

function roleInCode({ text, path }: Hit, { at, length }: Place): Role {
  const before = text.slice(0, at)
  const after = text.slice(at + length)
  if (importer.test(text)) return 'import'
  if (definer.test(before)) return 'definition'
  const language = languageOf(path).name
  if (language === 'CSS' || language === 'Sass')
    return /[.#]$/.test(before) && !/[;}]\s*$/.test(text) ? 'definition' : 'use'
  if (language === 'Shell') return /^\s*$/.test(before) && /^(?:\s*\(\)|=)/.test(after) ? 'definition' : 'use'
  // Type before, parameters and an opening brace after: a C-like function or method.
  const isTyped =
    /(?:^|[\s*&>\]])[\w:<>[\],*&]+[\s*&]+(?:\w+::)?$/.test(before) &&
    !/\b(?:return|new|else|throw|await|yield|in|of|case)\s+$/.test(before)
  const opens =
    /^\s*\([^;]*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:throws [\w., ]+)?[{:]?\s*(?:\/\/.*)?$/.test(after) &&
    !/;\s*$/.test(after)
  const isMethod =
    /^\s*(?:(?:async|static|public|private|protected|get|set)\s+)*$/.test(before) &&
    /^\s*\([^;]*\)\s*(?::[^={]+)?\{\s*$/.test(after)
  return (isTyped && opens) || isMethod ? 'definition' : 'use'
}
