import { z } from 'zod'
import { backendSchema } from './backend.ts'
import { budgetSchema } from './budget.ts'
import { count, seconds } from './numbers.ts'

const strictness = z.enum(['lenient', 'balanced', 'strict'])

const contextPathSchema = z.strictObject({
  path: z.string().min(1).describe('A folder or file; a relative one starts at the folder of this file.'),
  permission: z
    .enum(['read', 'write'])
    .default('read')
    .describe('`write`: whoever makes the final answer may change it; until then it is read-only.'),
  protected_paths: z
    .array(z.string())
    .default([])
    .describe('Paths below it that stay read-only all the same.'),
})

const evidenceSchema = z.strictObject({
  name: z.string().min(1).describe('What the ballot calls it.'),
  command: z.string().min(1).describe('A shell command; exit code 0 means that it passed.'),
  timeout_seconds: seconds.default(300).describe('After this long it counts as failed.'),
})

const compactionSchema = z.strictObject({
  enabled: z.boolean().default(true).describe('Summarise the older part of a long conversation.'),
  threshold_tokens: count.default(100_000).describe('From this many tokens on.'),
  preserve_recent: count.default(10).describe('How many of the last exchanges are kept word for word.'),
})

const interactiveSchema = z.strictObject({
  enabled: z.boolean().default(true).describe('Talk to one agent that launches runs.'),
  require_approval: z.boolean().default(true).describe('Ask before each run it launches.'),
  backend: backendSchema
    .nullable()
    .default(null)
    .describe("What the interactive agent thinks with; `null`: the first agent's backend."),
  append_system_prompt: z
    .string()
    .nullable()
    .default(null)
    .describe('Further instructions for the interactive agent.'),
  context_compaction: compactionSchema.prefault({}).describe('How long conversations are kept short.'),
})

export const orchestratorSchema = z.strictObject({
  context_paths: z
    .array(contextPathSchema)
    .default([])
    .describe('What agents may see, and the final answer may change, besides their own workspaces.'),
  max_new_answers_per_agent: count
    .nullable()
    .default(3)
    .describe('How many answers one agent may give in a run; `null`: any number.'),
  max_new_answers_global: count
    .nullable()
    .default(null)
    .describe('How many answers all agents together may give in a run; `null`: any number.'),
  answer_novelty_requirement: strictness
    .default('lenient')
    .describe('How much a new answer must differ from those there are.'),
  fairness_enabled: z.boolean().default(true).describe('`false`: `fairness_lead` does not count.'),
  fairness_lead: count
    .nullable()
    .default(null)
    .describe('How many answers an agent may be ahead of the slowest one; `null`: any number.'),
  voting_sensitivity: strictness
    .default('lenient')
    .describe('How good an answer must be before agents vote instead of improving it.'),
  max_reminders: z
    .number()
    .int()
    .nonnegative()
    .default(3)
    .describe('How often an agent that neither answers nor votes is reminded before it is left out.'),
  skip_voting: z.boolean().default(false).describe('No vote: an answer leads straight to the presentation.'),
  disable_injection: z.boolean().default(false).describe("Agents do not hear of each other's answers."),
  defer_voting_until_all_answered: z
    .boolean()
    .default(false)
    .describe('Votes begin after the last first answer.'),
  final_answer_strategy: z
    .enum(['winner_reuse', 'winner_present', 'synthesize'])
    .optional()
    .describe(
      "`winner_reuse`: the winner's answer as it is; `winner_present`: the winner presents it; `synthesize`: the winner merges all answers. Left out: `winner_present`, or `synthesize` for a team without refinement.",
    ),
  override: z
    .enum(['ask', 'continue'])
    .default('ask')
    .describe('After a vote: `ask` whether somebody else should present, or `continue` with the winner.'),
  broadcast: z
    .union([z.literal(false), z.enum(['agents', 'human'])])
    .default(false)
    .describe(
      'Whom agents of a run may put questions to with ask_others: their peers (`agents`), the person (`human`), or nobody (`false`).',
    ),
  evidence: z
    .array(evidenceSchema)
    .default([])
    .describe('Commands that are run on every candidate; their results stand on the ballot.'),
  budget: budgetSchema.prefault({}).describe('What a run may spend.'),
  seed: z.number().int().optional().describe('Makes the order in which agents see answers repeatable.'),
  interactive_mode: interactiveSchema.optional().describe('The agent a person talks to.'),
})
