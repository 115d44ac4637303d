import type { ChatId } from '../../schema/ids.ts'
import { type Args, usage } from '../args.ts'
import { Exit, type ExitCode, exitCodes } from '../exit-codes.ts'
import { type FoundPlan, type StoredPlan, findPlan } from '../find-plan.ts'
import { titleOf } from '../open-chat.ts'
import { findFolder } from '../places.ts'
import { type Desk, type Start, runChat, say } from '../run-chat.ts'

/** `conclave execute-plan`: typing it is the person's approval of the newest revision, and of nothing else. */
export async function executePlan(args: Args): Promise<ExitCode> {
  const [name, ...more] = args.words
  if (!name || more.length > 0) throw usage('execute-plan takes one plan: its id, its folder, or latest')
  const folder = findFolder(args)
  const { code } = await runChat(args, folder, async (desk) => {
    const found = await findPlan(desk.journal, folder, name)
    return 'chat' in found ? start(desk, args, found) : importPlan(desk, args, found.plan)
  })
  return code
}

function start(desk: Desk, args: Args, { chat, plan }: Extract<FoundPlan, { chat: unknown }>): Start {
  const { chat_id, open_turn } = chat
  if (open_turn?.settings.plan?.plan_id === plan.plan_id) {
    if (args.has('add'))
      say('--add is not used: the plan is being carried out already, and this goes on with it')
    return { chat_id }
  }
  if (open_turn) {
    throw new Exit(
      exitCodes.input,
      `${chat_id} has an unfinished turn; let it finish first: conclave -p -r ${chat_id}`,
    )
  }
  return { chat_id, execute: approval(desk, args, plan) }
}

/** A plan that was made elsewhere gets a chat here. Executing it is what leaves Plan mode. */
async function importPlan(desk: Desk, args: Args, plan: StoredPlan): Promise<Start> {
  const { engine, folder } = desk
  const chat_id: ChatId = engine.newChatId()
  const title = titleOf(plan.plan.goal)
  for (const command of [
    { type: 'create_chat', chat_id, folder, title, agent_mode: 'Plan' },
    { type: 'import_plan', chat_id, ...plan },
  ] as const) {
    const done = await engine.execute(command)
    if (!done.accepted) throw new Exit(exitCodes.input, done.reason)
  }
  return { chat_id, execute: approval(desk, args, plan) }
}

function approval(
  { agent_id, settings }: Desk,
  args: Args,
  { plan_id, revision }: { plan_id: string; revision: number },
): Start['execute'] {
  const additions = args.value('add')
  return { plan_id, revision, by: 'execute-plan', agent_id, settings, ...(additions && { additions }) }
}
