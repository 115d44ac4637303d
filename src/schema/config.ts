import { z } from 'zod'
import { permissionSchema, webFetchSchema } from './config/access.ts'
import { agentSchema } from './config/agent.ts'
import type { backendSchema } from './config/backend.ts'
import { executionSchema } from './config/execution.ts'
import { mcpServerSchema } from './config/mcp-server.ts'
import { orchestratorSchema } from './config/orchestrator.ts'
import { timeoutSchema } from './config/timeouts.ts'

const uiSchema = z.strictObject({
  theme: z.enum(['auto', 'light', 'dark']).default('auto').describe('Colours of the terminal UI.'),
  bell: z.boolean().default(true).describe('Ring when somebody has to answer and when a run ends.'),
})

const projectSchema = z.strictObject({
  workspace: z
    .boolean()
    .default(true)
    .describe('Keep CONTEXT.md, filepaths.json, runs/ and deliverables/ below .conclave.'),
})

/** Everything a config can say. Types, defaults, errors, the JSON Schema and docs/config.md all come from here. */
export const configSchema = z.strictObject({
  agents: z.array(agentSchema).min(1, 'needs at least one agent').describe('Who works.'),
  orchestrator: orchestratorSchema.prefault({}).describe('How they work together.'),
  execution: executionSchema.prefault({}).describe('How commands are run.'),
  timeout_settings: timeoutSchema.prefault({}).describe('How long things may take.'),
  mcp_servers: z
    .record(z.string().min(1), mcpServerSchema)
    .default({})
    .describe('MCP servers by name. Those of `.mcp.json` are read too, once the folder is trusted.'),
  web_fetch: webFetchSchema.prefault({}).describe('Reading web pages.'),
  permissions: z
    .array(permissionSchema)
    .default([])
    .describe("Rules for tools. The last one that fits decides; where none fits, Conclave's own rules do."),
  project: projectSchema.prefault({}).describe('What is kept in a project.'),
  ui: uiSchema.prefault({}).describe('The terminal UI.'),
  record: z
    .boolean()
    .default(false)
    .describe('Keep what models are asked and answer, for `conclave replay`.'),
})

export type Config = z.infer<typeof configSchema>
export type BackendConfig = z.infer<typeof backendSchema>
export type AgentConfig = Config['agents'][number]
export type McpServerConfig = z.infer<typeof mcpServerSchema>
export type WebFetchConfig = z.infer<typeof webFetchSchema>
