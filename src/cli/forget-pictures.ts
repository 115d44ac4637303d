import type { Journal } from '../ports/journal.ts'
import type { Pictures } from '../ports/pictures.ts'
import type { ChatId } from '../schema/ids.ts'

type Reader = Pick<Journal, 'read' | 'list'>

/** The pictures that the messages of these chats name. */
export async function picturesOf(journal: Reader, chats: Iterable<ChatId>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const chat of chats)
    for (const { event } of await journal.read(chat))
      if (event.type === 'message.added') event.message.pictures?.forEach(({ id }) => found.add(id))
  return found
}

/** Removes those of them that no chat names any more. */
export async function forgetPictures(
  journal: Reader,
  pictures: ReadonlySet<string>,
  store: Pictures,
): Promise<void> {
  if (pictures.size === 0) return
  const chats = (await journal.list('chat')).map(({ stream }) => stream as ChatId)
  const named = await picturesOf(journal, chats)
  for (const id of pictures) if (!named.has(id)) await store.forget(id)
}
