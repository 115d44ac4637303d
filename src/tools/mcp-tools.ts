import { sha256 } from '../core/sha256.ts'
import type { McpServer, McpToolDefinition } from '../ports/mcp.ts'
import type { Tool } from './tool.ts'

const LONGEST_NAME = 64

/**
 * The tools of connected servers, as ours. Whether one only reads is what the user's config says; the server's own hint
 * is a claim, so without a declaration it may change anything.
 */
export function mcpTools(servers: readonly McpServer[]): Tool[] {
  const taken = new Set<string>()
  return servers.flatMap((server) => server.tools.map((tool) => asTool(server, tool, taken)))
}

function asTool(
  server: McpServer,
  { name, description, schema, read_only }: McpToolDefinition,
  taken: Set<string>,
): Tool {
  const shown = nameFor(server.name, name, taken)
  return {
    name: shown,
    description,
    input: { foreign: schema },
    read_only,
    ...(!read_only && { changes: 'anything' as const }),
    access: () => [{ kind: 'mcp', server: server.name, tool: name }],
    run: (input, { signal, onOutput }) => server.call(name, input, { signal, onProgress: onOutput }),
  }
}

/** Only what every provider takes as a name. Names that had to be changed, or are taken, carry a piece of their hash. */
function nameFor(server: string, tool: string, taken: Set<string>): string {
  const plain = `mcp__${server}__${tool}`
  const clean = plain.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  const suffix = `_${sha256(JSON.stringify([server, tool])).slice(0, 8)}`
  const fits = clean === plain && clean.length <= LONGEST_NAME && !taken.has(clean)
  const name = fits ? clean : clean.slice(0, LONGEST_NAME - suffix.length) + suffix
  taken.add(name)
  return name
}
