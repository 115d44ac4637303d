import type { ChatId } from '../schema/ids.ts'
import { type Args, usage } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findChat } from './find-chat.ts'
import { readSession } from './read-chat.ts'
import type { Desk } from './run-chat.ts'
import { readStdin } from './stdin.ts'

/** The prompt from the command line and from stdin; may be empty when a chat is gone on with. */
export async function readPrompt(args: Args, example: string): Promise<string> {
  const given = [args.value('print'), ...args.words].filter((part) => part !== undefined).join(' ')
  const piped = await readStdin()
  const prompt = [given, piped].filter((part) => part.trim()).join('\n\n')
  const resumes = args.has('continue') || args.has('resume')
  if (!prompt && !resumes) throw new Exit(exitCodes.input, `the prompt is empty: ${example}`)
  return prompt
}

/** The chat that a prompt goes to: a new one, an earlier one, or a copy of that. `plan`: it goes on in Plan mode. */
export async function openChat(
  desk: Desk,
  args: Args,
  { prompt, plan }: { prompt: string; plan: boolean },
): Promise<ChatId> {
  const { engine, journal, folder } = desk
  const earlier =
    args.has('continue') || args.has('resume') ? await findChat(journal, args, folder) : undefined
  if (args.has('fork') && !earlier) throw usage('--fork needs -c or -r <chat>')
  const at = args.value('at')
  if (at !== undefined && !args.has('fork')) throw usage('--at needs --fork')
  if (earlier && !args.has('fork')) {
    if (!prompt && earlier.status !== 'working') {
      throw new Exit(exitCodes.input, `${earlier.chat_id} has nothing unfinished: give it a prompt`)
    }
    if (plan) await enterPlanMode(desk, earlier.chat_id)
    return earlier.chat_id
  }
  if (!prompt) throw new Exit(exitCodes.input, 'a fork needs a prompt')
  const chat_id = engine.newChatId()
  const created = await engine.execute({
    type: 'create_chat',
    chat_id,
    folder,
    title: titleOf(prompt),
    ...(plan && { agent_mode: 'Plan' }),
    ...(earlier && { fork: { chat_id: earlier.chat_id, ...(at !== undefined && { at }) } }),
  })
  if (!created.accepted) throw new Exit(exitCodes.input, created.reason)
  return chat_id
}

/** Looks before it opens the chat: opening resumes what a dead process left, and that may be at work in Act mode. */
async function enterPlanMode({ engine, journal }: Desk, chat_id: ChatId): Promise<void> {
  const { config, open_turn } = await readSession(journal, chat_id)
  if (open_turn?.settings.mode === 'Act') {
    throw new Exit(
      exitCodes.input,
      `${chat_id} has an unfinished turn in Act mode; let it finish first: conclave -p -r ${chat_id}`,
    )
  }
  if (config.agent_mode === 'Plan') return
  const switched = await engine.execute({ type: 'set_agent_mode', chat_id, agent_mode: 'Plan' })
  if (!switched.accepted) throw new Exit(exitCodes.input, switched.reason)
}

export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
