import { readFileSync } from 'node:fs'
import { LineCounter, type Document, isMap, isNode, isScalar, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Config, backendAliases, backendTypes, configSchema } from '../schema/config.ts'
import { hideKeys } from './hide-keys.ts'
import type { ConfigProblem } from './problem.ts'
import { suggest } from './suggest.ts'

export type LoadedConfig =
  | { ok: true; config: Config; file: string }
  | { ok: false; problems: ConfigProblem[]; source: string }

const LARGEST = 1_000_000

/** Reads and checks a config file. All problems are reported at once, each at its place in the file. */
export function loadConfig(file: string): LoadedConfig {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    return unreadable(file, `cannot be read: ${(error as Error).message}`)
  }
  if (source.length > LARGEST) return unreadable(file, `is larger than ${LARGEST} characters`)
  return parseConfig(file, source)
}

export function parseConfig(file: string, source: string): LoadedConfig {
  const lines = new LineCounter()
  let document: Document
  try {
    document = parseDocument(source, {
      lineCounter: lines,
      uniqueKeys: true,
      merge: false,
      logLevel: 'error',
    })
  } catch (error) {
    // Nested so deeply that the parser ran out of stack.
    return unreadable(file, `cannot be parsed: ${(error as Error).message}`)
  }
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      ...at(pos[0]),
      message: message.split('\n')[0] ?? '',
    }))
    return { ok: false, problems, source: hideKeys(source) }
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    return { ok: false, problems: [{ ...at(0), message: (error as Error).message }], source }
  }
  const parsed = configSchema.safeParse(renameAliases(value))
  if (parsed.success) {
    const problems = findRepeatedIds(parsed.data, (path) => at(offsetOf(document, path)))
    return problems.length > 0 ? { ok: false, problems, source } : { ok: true, config: parsed.data, file }
  }
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(document, issue, at))
  problems.sort((a, b) => a.line - b.line || a.column - b.column)
  return { ok: false, problems, source: hideKeys(source) }
}

function unreadable(file: string, what: string): LoadedConfig {
  return {
    ok: false,
    problems: [{ file, line: 1, column: 1, message: `the config file ${what}` }],
    source: '',
  }
}

type Path = readonly PropertyKey[]

function describeIssue(
  document: Document,
  issue: z.core.$ZodIssue,
  at: (offset: number) => Place,
): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const known = knownKeys(issue.path)
      const meant = suggest(key, known)
      return {
        ...at(offsetOf(document, [...issue.path, key], 'key')),
        message: `${[...issue.path, key].join('.')} is not a known key`,
        suggestion:
          key === 'api_key'
            ? 'a key is never read from a file: name it with api_key_env or api_key_command'
            : meant
              ? `did you mean ${meant}?`
              : `known here: ${known.join(', ')}`,
      }
    })
  }
  const given = document.getIn(issue.path as unknown[])
  const options = issue.code === 'invalid_value' ? issue.values.map(String) : []
  if (issue.path.at(-1) === 'type' && issue.path.includes('backend'))
    options.push(...Object.keys(backendAliases))
  const meant = typeof given === 'string' ? suggest(given, options) : undefined
  return [
    {
      ...at(offsetOf(document, issue.path)),
      message: `${issue.path.join('.') || 'the file'}: ${issue.message}${given === undefined || issue.path.at(-1) === 'api_key_env' ? '' : ` (it is ${shorten(given)})`}`,
      ...(meant && { suggestion: `did you mean ${meant}?` }),
    },
  ]
}

type Place = Pick<ConfigProblem, 'file' | 'line' | 'column'>

function shorten(value: unknown): string {
  const text = isNode(value) ? 'a list or map' : (JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Where a value (or its key) stands; for something missing, the nearest thing around it. */
function offsetOf(document: Document, path: Path, part: 'key' | 'value' = 'value'): number {
  for (let length = path.length; length >= 0; length--) {
    const around = document.getIn(path.slice(0, length - 1) as unknown[], true)
    if (part === 'key' && length > 0 && isMap(around)) {
      const pair = around.items.find(({ key }) => isScalar(key) && key.value === path[length - 1])
      if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
    }
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length) as unknown[], true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** The keys that the schema knows at a path. */
function knownKeys(path: Path): string[] {
  let schema: unknown = configSchema
  for (const step of path) {
    schema = unwrap(schema)
    schema =
      typeof step === 'number'
        ? (schema as { element?: unknown }).element
        : (shapeOf(schema)?.[String(step)] ?? (schema as { valueType?: unknown } | undefined)?.valueType)
  }
  return Object.keys(shapeOf(unwrap(schema)) ?? {})
}

const shapeOf = (schema: unknown): Record<string, unknown> | undefined =>
  (schema as { shape?: Record<string, unknown> } | undefined)?.shape

function unwrap(schema: unknown): unknown {
  let inner = schema
  while (
    typeof (inner as { unwrap?: unknown } | undefined)?.unwrap === 'function' &&
    !('element' in (inner as object))
  ) {
    inner = (inner as { unwrap: () => unknown }).unwrap()
  }
  return inner
}

/** MassGen's backend names, and the servers that speak OpenAI's protocol under a name of their own. */
function renameAliases(value: unknown): unknown {
  const agents = (value as { agents?: unknown } | null)?.agents
  if (!Array.isArray(agents)) return value
  for (const agent of agents) {
    const backend = (agent as { backend?: { type?: unknown } } | null)?.backend
    if (!backend || typeof backend.type !== 'string') continue
    const known = (backendTypes as readonly string[]).includes(backend.type)
    if (!known && Object.hasOwn(backendAliases, backend.type)) backend.type = backendAliases[backend.type]
  }
  return value
}

function findRepeatedIds({ agents }: Config, at: (path: Path) => Place): ConfigProblem[] {
  return agents.flatMap(({ id }, index) =>
    agents.findIndex((agent) => agent.id === id) === index
      ? []
      : [{ ...at(['agents', index, 'id']), message: `agents.${index}.id: "${id}" is used twice` }],
  )
}
