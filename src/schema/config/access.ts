import { z } from 'zod'

export const webFetchSchema = z.strictObject({
  enabled: z.boolean().default(false).describe('Whether agents may read web pages.'),
  allow: z
    .array(z.string().min(1))
    .default([])
    .describe('Hosts, with `*` for any run of characters; a private address must be listed itself.'),
  deny: z.array(z.string().min(1)).default([]).describe('Hosts that stay out of reach.'),
})

export const permissionSchema = z.strictObject({
  tool: z.string().min(1).describe("A tool's name; `*` fits any run of characters."),
  resource: z.string().min(1).optional().describe('A path, command, host or MCP tool, with `*`.'),
  action: z.enum(['allow', 'ask', 'deny']).describe('What happens to a call that fits.'),
})
