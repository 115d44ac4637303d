import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/sha256.ts'
import type { McpToolDefinition } from '../../ports/mcp.ts'
import type { ServerSpec } from './server-spec.ts'

/** A tool whose definition is not the one that was accepted. */
export interface ChangedTool {
  server: string
  tool: string
  /** `new`: the server had no such tool when it was first used. */
  change: 'changed' | 'new'
  /** What would be offered: show this to the person who accepts it. */
  definition: McpToolDefinition
  /** Of that definition; accepting is for these bytes only. */
  hash: string
  /** Where the accepted definitions are kept. */
  file: string
}

/** Tool names and the hashes of their accepted definitions. */
type Pins = Record<string, string>

/**
 * Compares a server's tools with those that were accepted. The tools of a server used for the first time are accepted
 * with it: naming it in the config was the person's act. A record that cannot be read accepts nothing. Each server has a
 * file of its own, so that two processes cannot lose each other's.
 */
export async function comparePins(
  folder: string,
  spec: ServerSpec,
  tools: readonly McpToolDefinition[],
): Promise<{ accepted: McpToolDefinition[]; changed: ChangedTool[] }> {
  const file = pinFile(folder, spec)
  let pins = await readPins(file)
  if (!pins) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await write(file, Object.fromEntries(tools.map((tool) => [tool.name, hashOf(tool)])), 'first')
    // Another process may have been first.
    pins = (await readPins(file)) ?? {}
  }
  const accepted: McpToolDefinition[] = []
  const changed: ChangedTool[] = []
  for (const tool of tools) {
    const known = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined
    const hash = hashOf(tool)
    if (known === hash) accepted.push(tool)
    else {
      const change = known === undefined ? 'new' : 'changed'
      changed.push({ server: spec.name, tool: tool.name, change, definition: tool, hash, file })
    }
  }
  return { accepted, changed }
}

/** A person has seen the definition and accepts it. */
export async function acceptTool({ file, tool, definition, hash }: ChangedTool): Promise<void> {
  if (hashOf(definition) !== hash) throw new Error(`the definition of ${tool} is not the one that was shown`)
  const pins = (await readPins(file)) ?? {}
  await write(file, { ...pins, [tool]: hash }, 'replace')
}

const hashOf = ({ name, description, schema }: McpToolDefinition): string =>
  sha256(JSON.stringify([name, description, schema]))

/** A server is what is started or called, under its name: another command is another server. */
function pinFile(folder: string, spec: ServerSpec): string {
  const identity = spec.kind === 'http' ? [spec.url] : [spec.command, spec.args, spec.cwd]
  const name = spec.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
  return join(folder, `${name}-${sha256(JSON.stringify([spec.name, ...identity])).slice(0, 16)}.json`)
}

async function readPins(file: string): Promise<Pins | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const hint = `delete ${file} to accept the tools it offers now`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`the record of its accepted tools is damaged; ${hint}`)
  }
  const tools = (value as { tools?: unknown } | null)?.tools
  if (typeof tools !== 'object' || tools === null) {
    throw new Error(`the record of its accepted tools is damaged; ${hint}`)
  }
  return tools as Pins
}

/** Whole or not at all. As the `first`, a record that is already there stays. */
async function write(file: string, tools: Pins, manner: 'first' | 'replace'): Promise<void> {
  const temporary = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(JSON.stringify({ v: 1, tools }, null, 2))
    await handle.datasync()
  } finally {
    await handle.close()
  }
  if (manner === 'replace') return rename(temporary, file)
  try {
    await link(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(temporary)
  }
}
