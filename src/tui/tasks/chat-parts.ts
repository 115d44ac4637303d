import { setImmediate as nextRound } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import type { ChatId } from '../../schema/ids.ts'
import { foldEarlier } from '../../view/chat-history.ts'
import { type ChatView, emptyChatView, foldAll } from '../../view/chat-view.ts'

/** Of the chat's own log at a time: about sixty exchanges. */
const PART = 300

/** The logs of so many turns are read between two looks at the keyboard. */
const TURNS = 10

/** A whole chat in parts, each for itself and with all its logs, the newest first. Nothing is kept of those before. */
export async function* chatParts(client: Client, chat: ChatId): AsyncGenerator<ChatView> {
  const feed = await client.open(chat, { log: PART, exchanges: 0 })
  try {
    let log = feed.head?.log ?? []
    for (;;) {
      let part = foldEarlier(emptyChatView, log)
      while (feed.unread.length > 0) {
        part = foldAll(part, await feed.older(TURNS))
        await nextRound()
      }
      yield part
      if (feed.unread_log === 0) return
      log = await feed.earlier(PART)
    }
  } finally {
    feed.close()
  }
}
