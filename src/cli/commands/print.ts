import type { Args } from '../args.ts'
import type { ExitCode } from '../exit-codes.ts'
import { openChat, readPrompt } from '../open-chat.ts'
import { findFolder } from '../places.ts'
import { runChat } from '../run-chat.ts'

/** `conclave -p`: one message, answered on stdout. */
export async function print(args: Args): Promise<ExitCode> {
  const folder = findFolder(args)
  const prompt = await readPrompt(args, 'conclave -p "what to do"')
  const { code } = await runChat(args, folder, async (desk) => {
    const chat_id = await openChat(desk, args, { prompt, plan: args.has('plan') })
    return { chat_id, ...(prompt && (await desk.ask(prompt, chat_id))) }
  })
  return code
}
