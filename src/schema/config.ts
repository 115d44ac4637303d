import { z } from 'zod'

const positive = z.number().positive()
const count = z.number().int().positive()

export const backendTypes = [
  'openai',
  'anthropic',
  'gemini',
  'xai',
  'openai_compatible',
  'ollama',
  'acp',
  'scripted',
  'rehearsal',
] as const

/** Names that MassGen's users know. */
export const backendAliases: Record<string, (typeof backendTypes)[number]> = {
  claude: 'anthropic',
  grok: 'xai',
  google: 'gemini',
  chatcompletion: 'openai_compatible',
  lmstudio: 'openai_compatible',
  vllm: 'openai_compatible',
  openrouter: 'openai_compatible',
}

export const backendSchema = z.strictObject({
  type: z.enum(backendTypes),
  model: z.string().min(1).optional(),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  api_key_env: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** `scripted`: the file of replies. */
  file: z.string().min(1).optional(),
  /** `acp`: the command to start. */
  command: z.array(z.string()).min(1).optional(),
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

export const configSchema = z.strictObject({
  agents: z.array(agentSchema).min(1, 'needs at least one agent'),
  orchestrator: orchestratorSchema.prefault({}),
  execution: z
    .strictObject({
      mode: z.enum(['local', 'docker']).default('local'),
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
  mcp_servers: z.record(z.string(), z.unknown()).default({}),
})

export type Config = z.infer<typeof configSchema>
export type BackendConfig = z.infer<typeof backendSchema>
export type AgentConfig = Config['agents'][number]
