import { z } from 'zod'
import { type ProviderName, providerAliases, providerNames } from '../providers.ts'
import { count, seconds } from './numbers.ts'

/** Every provider by its own name and by the names that MassGen's users know. */
const typeSchema = z
  .enum([...providerNames, ...Object.keys(providerAliases)] as [string, ...string[]])
  .transform((name) => (Object.hasOwn(providerAliases, name) ? providerAliases[name] : name) as ProviderName)

/** Headers that carry a key; a key stands in no file. */
const keyHeaders = /^(authorization|api-key|x-api-key|x-goog-api-key|cookie)$/i

const variableName = (message: string) => z.string().regex(/^[A-Za-z_]\w*$/, message)

const timeoutsSchema = z.strictObject({
  first_seconds: seconds
    .optional()
    .describe('Until a reply begins: 120, and 300 for local servers and hard thinking.'),
  progress_seconds: seconds.optional().describe('Between two pieces of a reply: 60.'),
  whole_seconds: seconds.optional().describe('For a reply as a whole: 1800.'),
})

export const backendSchema = z.strictObject({
  type: typeSchema.describe(
    "The provider, local server or command-line agent. MassGen's names are taken too.",
  ),
  model: z.string().min(1).optional().describe('The model, by the name its provider gives it.'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the provider is reached, when not at its usual address.'),
  api_key_env: variableName('must be the name of an environment variable, not a key')
    .optional()
    .describe('The environment variable that holds the key, when it is not the usual one.'),
  api_key_command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('A command that prints the key; run once, without a shell.'),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => !Object.keys(headers).some((name) => keyHeaders.test(name)), {
      error: 'a key is never read from a file: name it with api_key_env or api_key_command',
    })
    .optional()
    .describe('Further HTTP headers of every request; none that carries a key.'),
  api: z
    .enum(['responses', 'chat'])
    .optional()
    .describe('`openai`, `azure_openai`, `xai`: the Responses API unless this says `chat`.'),
  temperature: z.number().min(0).max(2).optional().describe('How freely the model chooses its words.'),
  max_output_tokens: count.optional().describe('The longest reply, in tokens.'),
  reasoning_effort: z
    .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional()
    .describe('How hard the model thinks, where it can be told.'),
  context_window: count.optional().describe('Tokens that fit into one request and its reply.'),
  images: z
    .boolean()
    .optional()
    .describe('`false`: the model takes no pictures, and is told instead that there was one.'),
  fallback: z
    .array(z.string().regex(/^[^/]+(\/.+)?$/, 'must be provider/model'))
    .optional()
    .describe('`provider/model`, asked in this order when the one before cannot answer.'),
  timeouts: timeoutsSchema.optional().describe('How long to wait for a reply.'),
  file: z.string().min(1).optional().describe('`scripted`: the file of replies.'),
  command: z.array(z.string()).min(1).optional().describe('`acp`: the command to start, as a list.'),
  env: z
    .array(variableName('must be names of environment variables'))
    .optional()
    .describe('`acp`: names of our variables that the agent may see, such as that of its key.'),
  plan_mode: z
    .enum(['sandbox', 'refuse'])
    .optional()
    .describe('`acp`: in Plan mode the agent runs in a read-only sandbox, or not at all.'),
  state_paths: z
    .array(z.string().min(1))
    .optional()
    .describe(
      '`acp`: where the agent keeps its own state, which it may write in Plan mode too; known for the usual agents.',
    ),
})
