import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { McpServerConfig } from '../../schema/config.ts'

const LARGEST = 1_000_000

/**
 * The servers a project names in `.mcp.json`, in the shape other tools use; keys we do not know are theirs. Read it only
 * for a trusted folder. `read_only_tools` is not taken from it: only the user's own config can say that.
 */
export function readMcpJson(folder: string): {
  servers: Record<string, McpServerConfig>
  problems: string[]
} {
  const file = join(folder, '.mcp.json')
  const servers: Record<string, McpServerConfig> = {}
  const problems: string[] = []
  const done = (problem?: string) => {
    if (problem) problems.push(`${file}: ${problem}`)
    return { servers, problems }
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return done((error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error).message)
  }
  if (text.length > LARGEST) return done(`it is larger than ${LARGEST} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return done((error as Error).message)
  }
  const entries = isObject(value) ? value['mcpServers'] : undefined
  if (!isObject(entries)) return done('it needs an object "mcpServers"')
  for (const [name, entry] of Object.entries(entries)) {
    const server = readEntry(entry)
    if (typeof server === 'string') problems.push(`${file}: mcpServers.${name} ${server}`)
    else servers[name] = server
  }
  return done()
}

function readEntry(entry: unknown): McpServerConfig | string {
  if (!isObject(entry)) return 'must be an object'
  const { type, command, args = [], env = {}, cwd, url, headers = {}, disabled } = entry
  const enabled = disabled !== true
  const common = { read_only_tools: [], enabled }
  if (type === 'sse') return 'uses the old sse transport; use its streamable HTTP address with type "http"'
  if (typeof url === 'string') {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      return 'needs a url with http or https'
    return isTexts(headers) ? { ...common, url, headers } : 'headers must hold only strings'
  }
  if (typeof command !== 'string' || command === '') return 'needs a command or a url'
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return 'args must be a list of strings'
  if (!isTexts(env)) return 'env must hold only strings'
  if (cwd !== undefined && typeof cwd !== 'string') return 'cwd must be a string'
  return { ...common, command, args: args as string[], env, ...(cwd !== undefined && { cwd }) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((item) => typeof item === 'string')
