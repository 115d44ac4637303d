import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChangedTool } from '../adapters/mcp/tool-pins.ts'
import type { Tool } from '../tools/tool.ts'
import type { Roster } from './agents.ts'

export interface McpOptions {
  folder: string
  /** Whether the person trusts the folder. */
  trusted: boolean
  /** The journal's place: accepted tool definitions are kept beside it. */
  journal: string
  version: string
}

export interface Mcp {
  tools: Tool[]
  changed: ChangedTool[]
  problems: string[]
  close(): Promise<void>
}

/** Connects the servers of the config and of a trusted folder; loads nothing when there are none. */
export async function connectMcp(roster: Roster, options: McpOptions): Promise<Mcp | undefined> {
  const { mcp_servers = {}, from_project = false, base, agents } = roster
  const { folder, trusted, journal, version } = options
  const allowed = from_project && !trusted ? {} : mcp_servers
  const held = Object.keys(mcp_servers).length - Object.keys(allowed).length
  const problems =
    held > 0 ? [`${roster.source} names MCP servers; they start once the folder is trusted`] : []
  const inFolder = trusted && existsSync(join(folder, '.mcp.json'))
  if (Object.keys(allowed).length === 0 && !inFolder) {
    return held > 0 ? { tools: [], changed: [], problems, close: async () => {} } : undefined
  }
  const [{ connectServers }, { mcpTools }] = await Promise.all([
    import('../adapters/mcp/connect.ts'),
    import('../tools/mcp-tools.ts'),
  ])
  const connected = await connectServers(allowed, {
    folder,
    base,
    trusted,
    pins: join(dirname(journal), 'mcp-tools'),
    version,
    environment: process.env,
    key_variables: agents.flatMap(({ backend }) => backend.api_key_env ?? []),
  })
  return {
    tools: mcpTools(connected.servers),
    changed: connected.changed,
    problems: [...problems, ...connected.problems],
    close: connected.close,
  }
}

/** What a run without a person says of tools it leaves out. */
export const describeChanged = ({ server, tool, change, file }: ChangedTool): string =>
  `the MCP server ${server}: its tool ${tool} ${change === 'new' ? 'is new' : 'is not what it was'} since its tools were accepted, so it is left out; to accept all it offers now, delete ${file}`
