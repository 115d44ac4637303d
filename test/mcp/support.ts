import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type ConnectOptions, type Connections, connectServers } from '../../src/adapters/mcp/connect.ts'
import type { McpServerConfig } from '../../src/schema/config.ts'
import { mcpTools } from '../../src/tools/mcp-tools.ts'
import type { Tool, ToolContext, ToolResult } from '../../src/tools/tool.ts'
import { temporaryFolder } from '../support/workbench.ts'

export type ServerInput = Partial<McpServerConfig>

export const hostileServer = (behaviour: string, file?: string): ServerInput => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'hostile-server.mjs'), behaviour, ...(file ? [file] : [])],
})

const packages = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')

export const filesystemServer = (folder: string): ServerInput => ({
  command: process.execPath,
  args: [join(packages, 'server-filesystem/dist/index.js'), folder],
})

export const everythingProgram = join(packages, 'server-everything/dist/index.js')

export interface Desk extends Connections {
  tools: Tool[]
  run(tool: string, input?: Record<string, unknown>, more?: Partial<ToolContext>): Promise<ToolResult>
}

/** Connects servers as the program does, and closes them with the test. */
export async function connect(
  servers: Record<string, ServerInput>,
  options: Partial<ConnectOptions> = {},
): Promise<Desk> {
  const folder = options.folder ?? temporaryFolder()
  const config = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      { read_only_tools: [], enabled: true, ...server },
    ]),
  )
  const connections = await connectServers(config, {
    folder,
    base: folder,
    trusted: false,
    pins: join(folder, 'pins'),
    version: '0',
    environment: process.env,
    ...options,
  })
  onTestFinished(() => connections.close())
  const tools = mcpTools(connections.servers)
  return {
    ...connections,
    tools,
    run(name, input = {}, more = {}) {
      const tool = tools.find((tool) => tool.name === name)
      if (!tool) throw new Error(`no tool ${name}; there are: ${tools.map(({ name }) => name).join(', ')}`)
      const context = { signal: new AbortController().signal, confined: false, onOutput: () => {}, ...more }
      return tool.run(input, context as ToolContext)
    },
  }
}

/** Processes, zombies aside, that have this in their environment. */
export function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
        return state !== 'Z' && state !== 'X' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
      } catch {
        return false
      }
    })
}

/** Waits until it holds, at most so long; says whether it did. */
export async function eventually(holds: () => boolean, within_ms: number): Promise<boolean> {
  const end = Date.now() + within_ms
  while (!holds()) {
    if (Date.now() > end) return false
    await sleep(20)
  }
  return true
}
