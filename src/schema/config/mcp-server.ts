import { z } from 'zod'
import { count } from './numbers.ts'

export const mcpServerSchema = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .optional()
      .describe('A server to start, which then speaks over stdin and stdout.'),
    args: z.array(z.string()).optional().describe('What the command is given.'),
    env: z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .optional()
      .describe(
        'Names of our variables it may see, or variables with their values; `${NAME}` in a value is looked up.',
      ),
    cwd: z.string().min(1).optional().describe('Where it is started.'),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Or a server to call, over streamable HTTP.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('HTTP headers; `${NAME}` in a value is looked up in the environment.'),
    read_only_tools: z
      .array(z.string())
      .default([])
      .describe('Its tools that change nothing. What the server says of them itself does not count.'),
    enabled: z.boolean().default(true).describe('`false`: as if it were not here.'),
    timeout_ms: count
      .optional()
      .describe('Milliseconds for an answer to a call (60000), and up to 30000 for the start (10000).'),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    'needs either a command or a url',
  )
