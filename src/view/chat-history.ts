import { append } from '../core/list.ts'
import { type SessionState, initialSession } from '../core/session/state.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId, RunId, TurnId } from '../schema/ids.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { addUsage } from '../schema/usage.ts'
import { type ChatView, emptyChatView } from './chat-view.ts'
import { foldSessionItems } from './chat-view-session.ts'
import { noKeys, setKey } from './keyed.ts'
import { prepend } from './transcript.ts'

/** What a chat has come to, for a view that begins at the end of its log and reads the rest when it is asked for. */
export interface ChatHead {
  /** The last event that `session` knows of. */
  seq: number
  session: HeadSession
}

/** Without what grows with the chat. */
export type HeadSession = Omit<SessionState, 'messages' | 'turns'> & { last_exchange?: TurnId | RunId }

export function headOf({ state, seq }: { state: SessionState; seq: number }): ChatHead {
  const { messages: _, turns, ...session } = state
  return { seq, session: { ...session, ...(turns && { last_exchange: turns.last }) } }
}

/** The view of a chat of which nothing was read yet but what it has come to. */
export function beginChat(chat: ChatId, { seq, session: { last_exchange, ...session } }: ChatHead): ChatView {
  const { title, folder, config, warning, plan } = session
  const turns = last_exchange ? append(null, last_exchange) : null
  return {
    ...emptyChatView,
    ...{ chat_id: chat, title, folder, config, plan, warning: warning ?? null },
    session: { ...session, turns, messages: initialSession.messages },
    seen: setKey(noKeys, chat, seq),
    inner: { ...emptyChatView.inner, mode: config.agent_mode },
  }
}

/** A part of the chat's own log, before it is put before what is there. */
export type EarlierPart = Pick<ChatView, 'transcript' | 'under_way' | 'unread' | 'usage' | 'inner'>

export const emptyPart: EarlierPart = emptyChatView

export const foldPart = (part: EarlierPart, envelope: Envelope): EarlierPart =>
  foldSessionItems({ ...emptyChatView, ...part }, envelope as Envelope<SessionEvent>)

/** Parts are put on from the newest back, each whole: no turn or run lies across two of them. */
export function joinEarlier(view: ChatView, part: EarlierPart): ChatView {
  return {
    ...view,
    transcript: prepend(view.transcript, part.transcript),
    under_way: view.under_way ?? part.under_way,
    unread: view.unread + part.unread,
    usage: addUsage(view.usage, part.usage),
  }
}

export const foldEarlier = (view: ChatView, log: Iterable<Envelope>): ChatView => {
  let part = emptyPart
  for (const envelope of log) part = foldPart(part, envelope)
  return joinEarlier(view, part)
}
