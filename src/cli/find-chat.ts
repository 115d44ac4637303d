import type { Journal } from '../ports/journal.ts'
import type { ChatId } from '../schema/ids.ts'
import type { Args } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** The chat that `-r` names, or the latest of this folder. */
export async function findChat(
  journal: Journal,
  args: Args,
  folder: string,
): Promise<{ chat_id: ChatId; status: string }> {
  const named = args.value('resume')
  if (named !== undefined) return findByName(journal, named)
  const latest = (await journal.list('chat')).find((chat) => chat.folder === folder)
  if (latest) return { chat_id: latest.stream as ChatId, status: latest.status }
  throw new Exit(exitCodes.input, `there is no chat in ${folder} yet; conclave sessions list shows all`)
}

/** A chat by its id or by the first or last characters of it, if only one fits. */
export async function findByName(
  journal: Journal,
  name: string,
): Promise<{ chat_id: ChatId; status: string }> {
  const short = name.replace(/^chat_/, '')
  const fitting = (await journal.list('chat')).filter(({ stream }) => {
    const id = stream.slice('chat_'.length)
    return short !== '' && (id.startsWith(short) || id.endsWith(short))
  })
  const [only, another] = fitting
  if (!only) throw new Exit(exitCodes.input, `there is no chat "${name}"; conclave sessions list shows all`)
  if (another) throw new Exit(exitCodes.input, `"${name}" fits ${fitting.length} chats; give more of the id`)
  return { chat_id: only.stream as ChatId, status: only.status }
}
