import { z } from 'zod'
import { ClientError } from '../client/client.ts'

/** The value, when it fits the schema; otherwise a refusal that says where it does not. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ClientError(400, z.prettifyError(parsed.error).slice(0, 2_000))
}
