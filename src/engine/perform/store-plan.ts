import type { SessionInput } from '../../core/session/input.ts'
import type { ChatPlan } from '../../core/session/state.ts'
import type { Files } from '../../ports/files.ts'
import type { ChatId } from '../../schema/ids.ts'
import { planMarkdown } from '../../core/plan/plan-markdown.ts'

/** Puts the plan into its folder in the project, as people read it and as `execute-plan` finds it. */
export async function storePlan(files: Files, chat_id: ChatId, plan: ChatPlan): Promise<SessionInput> {
  const { plan_id, revision, status, directory, steps, approvals } = plan
  const record = { plan_id, revision, status, chat_id, plan: plan.plan }
  await write(files, `${directory}/plan.json`, json(record))
  await write(files, `${directory}/plan.md`, planMarkdown(plan))
  await write(files, `${directory}/revisions/r${revision}.json`, json(plan.plan))
  if (approvals.length > 0) {
    await write(files, `${directory}/approvals.json`, json(approvals))
    await write(files, `${directory}/execution.json`, json({ status, steps }))
  }
  return { type: 'plan_stored', plan_id, revision, status }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** A folder that cannot be written does not stop the chat: the journal holds the plan too. */
async function write(files: Files, path: string, text: string): Promise<void> {
  const written = await files.write(path, text, { create: false })
  if ('refused' in written) await files.write(path, text, { create: true })
}
