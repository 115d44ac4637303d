import { z } from 'zod'
import { type ProviderName, providerAliases, providerNames } from './providers.ts'

const positive = z.number().positive()
const count = z.number().int().positive()

export const backendTypes = providerNames

/** Names that MassGen's users know. */
export const backendAliases: Record<string, ProviderName> = providerAliases

/** Headers that carry a key; a key stands in no file. */
const keyHeaders = /^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$/i

export const backendSchema = z.strictObject({
  type: z.enum(backendTypes),
  model: z.string().min(1).optional(),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not a key')
    .optional(),
  /** Prints the key; run once, without a shell. */
  api_key_command: z.array(z.string().min(1)).min(1).optional(),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => !Object.keys(headers).some((name) => keyHeaders.test(name)), {
      error: 'a key is never read from a file: name it with api_key_env or api_key_command',
    })
    .optional(),
  /** `openai`, `azure_openai`, `xai`: the Responses API unless this says `chat`. */
  api: z.enum(['responses', 'chat']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: count.optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  /** Tokens that fit into one request and its reply. */
  context_window: count.optional(),
  /** `provider/model`, asked in this order when the one before cannot answer. */
  fallback: z.array(z.string().regex(/^[^/]+(\/.+)?$/, 'must be provider/model')).optional(),
  /** Until a reply begins (120; 300 for local servers and hard thinking), between its pieces (60), as a whole (1800). */
  timeouts: z
    .strictObject({
      first_seconds: positive.optional(),
      progress_seconds: positive.optional(),
      whole_seconds: positive.optional(),
    })
    .optional(),
  /** `scripted`: the file of replies. */
  file: z.string().min(1).optional(),
  /** `acp`: the command to start. */
  command: z.array(z.string()).min(1).optional(),
  /** `acp`: names of our variables that the agent may see, such as that of its key. */
  env: z.array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be names of environment variables')).optional(),
  /** `acp`: in Plan mode the agent runs in a read-only sandbox, or not at all. */
  plan_mode: z.enum(['sandbox', 'refuse']).optional(),
  /** `acp`: where the agent keeps its own state, which it may write in Plan mode too; known for the usual agents. */
  state_paths: z.array(z.string().min(1)).optional(),
})

const agentSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'must start with a letter or digit and hold only letters, digits, . _ -'),
  backend: backendSchema,
  system_message: z.string().optional(),
})

const interactiveSchema = z.strictObject({
  enabled: z.boolean().default(true),
  require_approval: z.boolean().default(true),
  backend: backendSchema.nullable().default(null),
  append_system_prompt: z.string().nullable().default(null),
  context_compaction: z
    .strictObject({
      enabled: z.boolean().default(true),
      threshold_tokens: count.default(100_000),
      preserve_recent: count.default(10),
    })
    .prefault({}),
})

const orchestratorSchema = z.strictObject({
  context_paths: z
    .array(
      z.strictObject({
        path: z.string().min(1),
        permission: z.enum(['read', 'write']).default('read'),
        protected_paths: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  max_new_answers_per_agent: count.nullable().default(null),
  skip_voting: z.boolean().default(false),
  disable_injection: z.boolean().default(false),
  defer_voting_until_all_answered: z.boolean().default(false),
  final_answer_strategy: z.enum(['winner_reuse', 'winner_present', 'synthesize']).default('winner_present'),
  evidence: z.array(z.strictObject({ name: z.string().min(1), command: z.string().min(1) })).default([]),
  budget: z.strictObject({ max_usd: positive.optional(), max_tokens: count.optional() }).prefault({}),
  interactive_mode: interactiveSchema.optional(),
})

const mcpServerSchema = z
  .strictObject({
    /** A server to start, which then speaks over stdin and stdout. */
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    /** Names of our variables it may see, or variables with their values; `${NAME}` in a value is looked up. */
    env: z.union([z.array(z.string()), z.record(z.string(), z.string())]).optional(),
    cwd: z.string().min(1).optional(),
    /** Or one to call, over streamable HTTP. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** `${NAME}` in a value is looked up in the environment. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Its tools that change nothing. What the server says of them itself does not count. */
    read_only_tools: z.array(z.string()).default([]),
    enabled: z.boolean().default(true),
    /** For an answer to a call (60,000), and up to 30,000 for the start (10,000). */
    timeout_ms: count.optional(),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    'needs either a command or a url',
  )

const webFetchSchema = z.strictObject({
  enabled: z.boolean().default(false),
  /** Hosts, with `*` for any run of characters; a private address must be listed itself. */
  allow: z.array(z.string().min(1)).default([]),
  deny: z.array(z.string().min(1)).default([]),
})

/** The last rule that fits decides; where none fits, Conclave's own rules do. */
const permissionSchema = z.strictObject({
  /** A tool's name; `*` fits any run of characters. */
  tool: z.string().min(1),
  /** A path, command, host or MCP tool, with `*`. */
  resource: z.string().min(1).optional(),
  action: z.enum(['allow', 'ask', 'deny']),
})

export const configSchema = z.strictObject({
  /** Keep what models are asked and answer, for `conclave replay`. */
  record: z.boolean().default(false),
  agents: z.array(agentSchema).min(1, 'needs at least one agent'),
  orchestrator: orchestratorSchema.prefault({}),
  execution: z
    .strictObject({
      mode: z.enum(['local', 'docker']).default('local'),
      /** `auto`: commands are confined where that works; `required`: confined or not at all; `off`: never. */
      sandbox: z.enum(['auto', 'required', 'off']).default('auto'),
      /** Whether confined commands that may write reach the network; those that only look never do. */
      network: z.boolean().default(false),
      docker: z
        .strictObject({ image: z.string().default('conclave-agent'), network: z.string().default('none') })
        .prefault({}),
    })
    .prefault({}),
  timeout_settings: z
    .strictObject({
      orchestrator_timeout_seconds: positive.default(1800),
      initial_round_timeout_seconds: positive.nullable().default(null),
      subsequent_round_timeout_seconds: positive.nullable().default(null),
      round_timeout_grace_seconds: z.number().nonnegative().default(120),
    })
    .prefault({}),
  mcp_servers: z.record(z.string().min(1), mcpServerSchema).default({}),
  web_fetch: webFetchSchema.prefault({}),
  permissions: z.array(permissionSchema).default([]),
})

export type Config = z.infer<typeof configSchema>
export type BackendConfig = z.infer<typeof backendSchema>
export type AgentConfig = Config['agents'][number]
export type McpServerConfig = z.infer<typeof mcpServerSchema>
export type WebFetchConfig = z.infer<typeof webFetchSchema>
