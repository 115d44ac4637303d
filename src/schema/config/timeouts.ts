import { z } from 'zod'
import { seconds } from './numbers.ts'

export const timeoutSchema = z.strictObject({
  orchestrator_timeout_seconds: seconds.default(1800).describe('For a whole run.'),
  initial_round_timeout_seconds: seconds
    .nullable()
    .default(null)
    .describe("For an agent's first answer; `null`: no limit."),
  subsequent_round_timeout_seconds: seconds
    .nullable()
    .default(null)
    .describe('For each round after that; `null`: no limit.'),
  round_timeout_grace_seconds: z
    .number()
    .nonnegative()
    .default(120)
    .describe('What an agent has left to finish in when its round is over.'),
})
