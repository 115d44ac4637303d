import type { McpServer } from '../../ports/mcp.ts'
import type { McpServerConfig } from '../../schema/config.ts'
import { readMcpJson } from './mcp-json.ts'
import { type Tether, findTether } from './server-process.ts'
import { type ServerSpec, type SpecContext, UnusableServer, readSpec } from './server-spec.ts'
import type { ChangedTool } from './tool-pins.ts'

export interface ConnectOptions {
  /** The folder of the chat. */
  folder: string
  /** Where relative paths in the config start. */
  base: string
  /** Whether the person trusts the folder: without that its `.mcp.json` is not even read. */
  trusted: boolean
  /** Where accepted tool definitions are kept. */
  pins: string
  version: string
  environment: Record<string, string | undefined>
  /** Variables that hold keys of our models; a project never gets them. */
  key_variables?: readonly string[]
  /** Chosen by trying, when absent. */
  tether?: Tether
}

export interface Connections {
  servers: McpServer[]
  /** Tools left out until a person accepts their definition. */
  changed: ChangedTool[]
  /** What did not work, a sentence each. */
  problems: string[]
  close(): Promise<void>
}

const KEY_VARIABLES = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ...['GOOGLE_GENERATIVE_AI_API_KEY', 'XAI_API_KEY', 'OPENROUTER_API_KEY', 'MISTRAL_API_KEY', 'GROQ_API_KEY'],
  ...['DEEPSEEK_API_KEY', 'AZURE_OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
]

/**
 * Connects all servers side by side. One that fails is a problem to report and holds up nobody longer than its timeout.
 * The user's config wins over a server of the same name in `.mcp.json`.
 */
export async function connectServers(
  config: Record<string, McpServerConfig>,
  options: ConnectOptions,
): Promise<Connections> {
  const found = options.trusted ? readMcpJson(options.folder) : { servers: {}, problems: [] }
  const problems = [...found.problems]
  const { base, folder, environment } = options
  const own = { base, folder, environment }
  const withheld = new Set([...KEY_VARIABLES, ...(options.key_variables ?? [])])
  const specs = [
    ...readSpecs(config, own, problems),
    ...readSpecs(without(found.servers, config), { ...own, base: folder, withheld }, problems),
  ]
  if (specs.length === 0) return { servers: [], changed: [], problems, close: async () => {} }

  const [{ connectServer }, { comparePins }, tether] = await Promise.all([
    import('./connect-server.ts'),
    import('./tool-pins.ts'),
    options.tether ?? findTether(),
  ])
  const open: { close(): Promise<void> }[] = []
  const changed: ChangedTool[] = []
  const connect = async (spec: ServerSpec): Promise<McpServer[]> => {
    const report = (problem: string) => void problems.push(`the MCP server ${spec.name}: ${problem}`)
    try {
      const server = await connectServer(spec, { version: options.version, tether })
      open.push(server)
      server.problems.forEach(report)
      const compared = await comparePins(options.pins, spec, server.tools)
      changed.push(...compared.changed)
      return [{ name: server.name, tools: compared.accepted, call: server.call }]
    } catch (error) {
      report((error as Error).message)
      return []
    }
  }
  const servers = (await Promise.all(specs.map(connect))).flat()
  return {
    servers,
    changed,
    problems,
    close: async () => void (await Promise.all(open.map((server) => server.close()))),
  }
}

function readSpecs(
  servers: Record<string, McpServerConfig>,
  context: SpecContext,
  problems: string[],
): ServerSpec[] {
  return Object.entries(servers).flatMap(([name, config]) => {
    if (config.enabled === false) return []
    try {
      return [readSpec(name, config, context)]
    } catch (error) {
      if (!(error instanceof UnusableServer)) throw error
      problems.push(`the MCP server ${name}: ${error.message}`)
      return []
    }
  })
}

const without = <T>(servers: Record<string, T>, taken: Record<string, unknown>): Record<string, T> =>
  Object.fromEntries(Object.entries(servers).filter(([name]) => !Object.hasOwn(taken, name)))
