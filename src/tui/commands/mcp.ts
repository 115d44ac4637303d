import type { PageLine } from '../state/modal.ts'
import type { SlashCommand } from './command.ts'

export const mcpCommand: SlashCommand = {
  name: 'mcp',
  about: 'MCP servers and what they offer',
  run(app) {
    const report = app.host?.mcp()
    if (!report) return
    const { servers, tools, problems } = report
    const lines: PageLine[] = [
      ...(servers.length === 0 && tools.length === 0
        ? [
            { text: 'No MCP server is connected.' },
            {
              text: 'Name them below mcp_servers in the config, or in .mcp.json of a trusted folder.',
              style: 'dim' as const,
            },
          ]
        : [{ text: `in the config: ${servers.join(', ') || 'none'}` }]),
      ...tools.map(({ name, read_only }) => ({ text: `  ${name}${read_only ? '  reads only' : ''}` })),
      ...problems.map((text) => ({ text, style: 'error' as const })),
    ]
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'MCP', lines, scroll: 0 } })
  },
}
