import { z } from 'zod'
import { backendSchema } from './backend.ts'
import { budgetSchema } from './budget.ts'

export const agentSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'must start with a letter or digit and hold only letters, digits, . _ -')
    .describe("The agent's name, used in votes, logs and `--single`."),
  backend: backendSchema.describe('What the agent thinks with.'),
  identity: z
    .string()
    .optional()
    .describe('Who the agent is, in a sentence or two: told to the agent itself and to nobody else.'),
  description: z
    .string()
    .optional()
    .describe(
      'What the agent is good at: told to the interactive agent, which chooses whom to give work to.',
    ),
  system_message: z.string().optional().describe('Further instructions for this agent.'),
  budget: budgetSchema
    .optional()
    .describe('What this agent may spend in one run, within the budget of the run.'),
})
