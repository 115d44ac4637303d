import type { Args } from '../args.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { openChat, readPrompt } from '../open-chat.ts'
import { findFolder } from '../places.ts'
import { runChat, say } from '../run-chat.ts'

/** `conclave plan`: a planning run. Nothing is changed; the plan is printed and kept under .conclave/plans. */
export async function plan(args: Args): Promise<ExitCode> {
  const folder = findFolder(args)
  const prompt = await readPrompt(args, 'conclave plan "what to do"')
  const { code, end } = await runChat(args, folder, async (desk) => {
    const chat_id = await openChat(desk, args, { prompt, plan: true })
    return { chat_id, ...(prompt && (await desk.ask(prompt, chat_id))) }
  })
  if (code !== exitCodes.done) return code
  const { plan, chat_id } = end.result
  if (plan) {
    say(`kept in ${plan.directory}; carry it out with: conclave execute-plan ${plan.plan_id}`)
    return code
  }
  say(`the reply holds no plan; say what is missing with: conclave plan -r ${chat_id} "…"`)
  return exitCodes.failed
}
