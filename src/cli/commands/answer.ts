import { readAnswer } from '../../headless/read-answer.ts'
import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { cardText, pendingCard } from '../../view/pending-card.ts'
import { type Args, usage } from '../args.ts'
import { Exit, type ExitCode, exitCodes } from '../exit-codes.ts'
import { findChat } from '../find-chat.ts'
import { findFolder } from '../places.ts'
import { readChat } from '../read-chat.ts'
import { runChat } from '../run-chat.ts'

/** `conclave answer <choice>`: answers what a chat waits for, and lets it go on. */
export async function answer(args: Args): Promise<ExitCode> {
  const typed = args.words.join(' ')
  if (!typed.trim()) throw usage('conclave answer <number, value or words> [-r <chat>]')
  const folder = findFolder(args)
  const { code } = await runChat(args, folder, async ({ journal }) => {
    const { chat_id } = await findChat(journal, args, folder)
    const { turns, runs } = await readChat(journal, chat_id)
    const waiting = [...runs.values(), ...turns.values()].flatMap(({ pendings }) => pendings)[0]
    if (!waiting) throw new Exit(exitCodes.input, `${chat_id} waits for nothing`)
    return { chat_id, answer: answerTo(waiting, typed) }
  })
  return code
}

/** For exactly what waited when the person typed it; whatever asks after that is another question. */
function answerTo(waiting: Pending, typed: string): (pending: Pending) => PendingAnswer | undefined {
  const read = readAnswer(waiting, typed)
  if ('problem' in read) throw new Exit(exitCodes.input, `${read.problem}\n${cardText(pendingCard(waiting))}`)
  return ({ id }) => (id === waiting.id ? read : undefined)
}
