import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { protectedPath } from '../../core/policy/protected-paths.ts'
import type { Access, CommandAccess } from '../../schema/access.ts'
import { type Json, asObject, asText } from './read-json.ts'
import type { ToolCallState } from './tool-call.ts'

export interface CallAccess {
  /** The kind of tool, by which rules know it. */
  name: string
  access: Access[]
  /** It only looks, by the agent's word, and only at what it was given: good enough to let it pass. */
  read_only: boolean
  /** It only looked, as far as one can tell: good enough for the record. */
  looked: boolean
}

type Analyze = (command: string) => Promise<CommandAccess>

const READING = new Set(['read', 'search', 'think', 'fetch'])
const PATH_KEYS = [
  ...['file_path', 'filePath', 'path', 'abs_path', 'absolute_path', 'notebook_path', 'target_file'],
  ...['source', 'destination', 'old_path', 'new_path'],
]

/**
 * What a call of an agent's own tool would touch, from what the agent says of it. Paths in the folder become relative to
 * it. A path outside it, or one that decides what runs on the machine, is noted as read and written: that is no mere
 * edit. A call with a command is a command, whatever the agent calls it: some say "read" for `cat`.
 */
export async function accessOf(
  call: ToolCallState,
  folder: string,
  analyze: Analyze = asIs,
): Promise<CallAccess> {
  const reading = READING.has(call.kind)
  const command = commandOf(asObject(call.raw_input))
  if (command !== undefined || call.kind === 'execute') {
    const access = command === undefined ? [] : [await analyze(command)]
    const looked = reading || access.some(({ looks_read_only }) => looks_read_only)
    return { name: 'execute', access, read_only: false, looked }
  }
  const paths = pathsOf(call).map((path) => locate(path, folder))
  const read_only = reading && paths.every(({ inside }) => inside)
  return { name: call.kind, access: touched(call, paths), read_only, looked: reading }
}

function touched({ kind, raw_input }: ToolCallState, paths: Place[]): Access[] {
  switch (kind) {
    case 'fetch': {
      const host = hostOf(asObject(raw_input))
      return host === undefined ? [] : [{ kind: 'network', host }]
    }
    case 'delete':
      return paths.map(({ path }) => ({ kind: 'delete', path }))
    case 'edit':
    case 'move':
      return paths.flatMap(writing)
    case 'read':
    case 'search':
    case 'think':
      return paths.map(({ path }) => ({ kind: 'read', path }))
    case 'execute':
    case 'switch_mode':
    case 'other':
      return []
  }
}

interface Place {
  path: string
  inside: boolean
}

const writing = ({ path, inside }: Place): Access[] => [
  ...(inside && !protectedPath(path) ? [] : [{ kind: 'read', path } as const]),
  { kind: 'write', path },
]

function pathsOf({ locations, content, raw_input }: ToolCallState): string[] {
  const input = asObject(raw_input)
  const named = PATH_KEYS.flatMap((key) => asText(input[key]) ?? [])
  const changed = content.flatMap(({ type, path }) => (type === 'diff' ? (asText(path) ?? []) : []))
  return [...new Set([...locations, ...changed, ...named])]
}

/** Links are followed: a link in the folder may lead out of it. */
function locate(given: string, folder: string): Place {
  const root = follow(folder)
  const path = follow(
    resolve(folder, given.startsWith('file:') && URL.canParse(given) ? fileURLToPath(given) : given),
  )
  const from = relative(root, path)
  const inside = from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from)
  return inside ? { path: from || '.', inside } : { path, inside }
}

/** The real path; of something that does not exist yet, the real path of where it would be. */
function follow(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(follow(parent), basename(path))
  }
}

function commandOf({ command, cmd }: Json): string | undefined {
  const given = command ?? cmd
  if (typeof given === 'string') return given
  if (!Array.isArray(given)) return undefined
  const words = given.map(String)
  const [program = '', flag = '', script, ...more] = words
  const shell = /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag)
  return shell && script !== undefined && more.length === 0
    ? script
    : words
        .map((word) => (/^[\w./=:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
        .join(' ')
}

function hostOf({ url, uri }: Json): string | undefined {
  const given = asText(url) ?? asText(uri)
  return given !== undefined && URL.canParse(given) ? new URL(given).host : undefined
}

const asIs: Analyze = async (command) => ({
  kind: 'command',
  command,
  parts: [],
  looks_read_only: false,
  notes: [],
})
