import { z } from 'zod'
import { count, positive } from './numbers.ts'

export const budgetSchema = z.strictObject({
  max_usd: positive.optional().describe('US dollars.'),
  max_tokens: count.optional().describe('Tokens, read and written.'),
})
