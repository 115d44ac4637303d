import { z } from 'zod'
import type { WireCommand } from '../client/wire.ts'
import type { ChatId, RunId, TurnId } from '../schema/ids.ts'
import { MOST_PICTURES } from '../schema/picture.ts'

/** Longest text of a message, a plan or an answer. */
const text = z.string().max(500_000)
const name = z.string().min(1).max(200)
const count = z.int().min(0).max(1_000_000_000)

/** The pattern is what makes it the id it is said to be. */
const idOf = <T extends string>(kinds: string) =>
  z.string().regex(new RegExp(`^(${kinds})_[\\w-]{1,100}$`)) as unknown as z.ZodType<T>

export const chatIdSchema = idOf<ChatId>('chat')
export const pictureIdSchema = z.string().regex(/^[0-9a-f]{64}$/)
export const streamIdSchema = idOf<ChatId | TurnId | RunId>('chat|turn|run')
const chat_id = chatIdSchema
const turn_id = idOf<TurnId>('turn')
const worker_id = idOf<TurnId | RunId>('turn|run')

const mode = z.enum(['Plan', 'Act'])
const by = z.string().min(1).max(60).describe('Who says so, for the log.')

const settings = z
  .strictObject({
    permission: z.enum(['ask', 'auto-edit', 'auto', 'deny']).optional(),
    max_iterations: z.int().min(1).max(10_000).optional(),
    on_limit: z.enum(['stop', 'ask']).optional(),
    reflect: z.enum(['changed', 'always', 'never']).optional(),
    max_tokens: count.optional(),
    max_usd: z.number().min(0).optional(),
  })
  .describe('Only narrower than what the server was started with.')

const pictures = z
  .array(z.strictObject({ id: pictureIdSchema, name: name.optional() }))
  .max(MOST_PICTURES)
  .describe('Kept before with `POST /api/pictures`.')

const reviews = z
  .array(
    z.strictObject({
      step_number: count,
      decision: z.enum(['approve', 'skip']),
      edit: text.optional(),
      comment: text.optional(),
    }),
  )
  .max(1_000)

const plan = z.strictObject({
  goal: text,
  steps: z
    .array(
      z.strictObject({
        step_number: count,
        action: text,
        reason: text,
        tools_needed: z.array(name).max(100),
        estimated_time: text.optional(),
        files: z.array(text).max(1_000).optional(),
      }),
    )
    .max(1_000),
  estimated_total_time: text.optional(),
  risks: z.array(text).max(1_000),
  prerequisites: z.array(text).max(1_000),
})

const answer = z.union([
  z.strictObject({
    kind: z.literal('tool_approval'),
    decision: z.enum(['once', 'always', 'deny']),
    hash: name.optional().describe('Of what the person saw.'),
    reason: text.optional(),
  }),
  z.strictObject({ kind: z.literal('guidance'), decision: z.literal('continue'), text }),
  z.strictObject({ kind: z.literal('guidance'), decision: z.literal('stop') }),
  z.strictObject({ kind: z.literal('question'), value: text, text: text.optional() }),
  z.strictObject({ kind: z.literal('override'), decision: z.literal('continue') }),
  z.strictObject({ kind: z.literal('override'), decision: z.literal('present'), agent: name }),
  z.strictObject({
    kind: z.literal('run_approval'),
    decision: z.literal('approve'),
    hash: name.optional(),
    background: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('run_approval'),
    decision: z.literal('edit'),
    edited: z.strictObject({
      task: text.optional(),
      context: text.optional(),
      agents: z.array(name).max(100).optional(),
    }),
  }),
  z.strictObject({ kind: z.literal('run_approval'), decision: z.literal('cancel'), reason: text.optional() }),
])

const planRevision = { chat_id, plan_id: name, revision: count }

/** Every command the server takes, field by field: what is not named here is refused. */
export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('create_chat'),
    chat_id,
    folder: z.string().max(4_096),
    title: z.string().max(500),
    agent_mode: mode.optional(),
    fork: z.strictObject({ chat_id, at: name.optional() }).optional(),
  }),
  z.strictObject({
    type: z.literal('send_message'),
    chat_id,
    text,
    pictures: pictures.optional(),
    agent_id: name,
    settings: settings.optional(),
  }),
  z.strictObject({
    type: z.literal('start_run'),
    chat_id,
    text,
    pictures: pictures.optional(),
    team_mode: z.enum(['single', 'multi']),
    refinement: z.boolean(),
    agents: z.array(name).min(1).max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('set_team'),
    chat_id,
    team_mode: z.enum(['single', 'multi']).optional(),
    refinement: z.boolean().optional(),
    active_agent: name.optional(),
  }),
  z.strictObject({
    type: z.literal('compact_chat'),
    chat_id,
    agent_id: name,
    preserve_recent: count.optional(),
  }),
  z.strictObject({
    type: z.literal('set_agent_mode'),
    chat_id,
    agent_mode: mode,
    confirm: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('execute_plan'),
    ...planRevision,
    additions: text.optional(),
    reviews: reviews.optional(),
    by,
    agent_id: name,
    settings: settings.optional(),
  }),
  z.strictObject({ type: z.literal('reject_plan'), ...planRevision }),
  z.strictObject({ type: z.literal('import_plan'), ...planRevision, plan }),
  z.strictObject({ type: z.literal('give_guidance'), turn_id, text }),
  z.strictObject({
    type: z.literal('answer_pending'),
    turn_id: worker_id,
    pending_id: name,
    answer,
    by,
  }),
  z.strictObject({
    type: z.literal('interrupt'),
    chat_id,
    limit: name.optional(),
    run_id: idOf<RunId>('run').optional(),
  }),
]) satisfies z.ZodType<WireCommand>

/** Every command of the engine has a schema: adding one without the other does not compile. */
type Missing = Exclude<WireCommand['type'], z.infer<typeof commandSchema>['type']>
const complete: Missing extends never ? true : Missing = true
export const hasEveryCommand: true = complete
