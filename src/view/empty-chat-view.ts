import { initialSession } from '../core/session/state.ts'
import { noUsage } from '../schema/usage.ts'
import type { ChatView } from './chat-view.ts'
import { noKeys } from './keyed.ts'
import { noLive } from './live.ts'
import { emptyTranscript } from './transcript.ts'

/** A chat before its first event. Apart from the fold, so that a first frame needs nothing of it. */
export const emptyChatView: ChatView = {
  chat_id: initialSession.chat_id,
  title: '',
  folder: '',
  config: initialSession.config,
  warning: null,
  plan: null,
  under_way: null,
  pendings: [],
  usage: noUsage,
  context_tokens: null,
  transcript: emptyTranscript,
  agents: [],
  run: null,
  live: noLive,
  unread: 0,
  session: initialSession,
  seen: noKeys,
  inner: { turns: noKeys, runs: noKeys, owners: noKeys, children: noKeys },
}
