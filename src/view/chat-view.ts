import { evolve as evolveSession } from '../core/session/evolve.ts'
import type { ChatPlan, SessionState } from '../core/session/state.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../schema/ids.ts'
import type { LiveEvent } from '../schema/live-event.ts'
import type { Pending } from '../schema/pending.ts'
import type { ApprovedPlan } from '../schema/plan.ts'
import type { RunEvent } from '../schema/run-event.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import type { Phase, StepProgress, TurnEvent } from '../schema/turn-event.ts'
import type { Usage } from '../schema/usage.ts'
import { foldRunEvent } from './chat-view-run.ts'
import { foldSessionItems } from './chat-view-session.ts'
import { foldTurnEvent } from './chat-view-turn.ts'
import type { TurnFold } from './fold-turn.ts'
import { type Keyed, getKey, setKey } from './keyed.ts'
import { type Live, foldLive } from './live.ts'
import type { PendingCard } from './pending-card.ts'
import type { RunView } from './run-view.ts'
import { type Transcript, emptyTranscript } from './transcript.ts'

/**
 * A chat as every face shows it: a fold of its envelopes and those of its turns and runs. The logs of different turns
 * may come in any order and at any time, as long as the chat's own came first; what belongs to one turn or run must come
 * in the order it happened. Every event costs the same however long the chat is.
 */
export interface ChatView {
  chat_id: ChatId
  title: string
  folder: string
  config: ChatConfig
  /** Something about the stored chat that a person should know. */
  warning: string | null
  plan: ChatPlan | null
  /** What is being done now; null when the chat waits for a message. */
  under_way: UnderWay | null
  /** Everything that waits for a person, oldest first. */
  pendings: readonly OpenPending[]
  /** Of the turns whose logs were read. Without `cost_usd` when a price is unknown. */
  usage: Usage
  /** What the last request and its reply took, of the agent that answers in the chat. */
  context_tokens: number | null
  /** What people call the chat: messages, and below each how the answer came about. */
  transcript: Transcript
  /** The tabs of a team, in the order the agents were first seen. */
  agents: readonly AgentView[]
  /** The run under way, or else the last one. */
  run: RunView | null
  live: Live
  /** Turns and runs of the chat whose logs have not been read: their steps and costs are not in the view. */
  unread: number
  /** What core makes of the chat's own log. */
  session: SessionState
  /** How far each log was taken in: an envelope that comes twice changes nothing. */
  seen: Keyed<number>
  /** The rest is for the fold. */
  inner: {
    turns: Keyed<TurnFold>
    runs: Keyed<RunView>
    owners: Keyed<Owner>
    /** The transcripts of sub-agents, by their turn. */
    children: Keyed<Transcript>
    /** The mode the chat was in before the event. */
    mode?: ChatConfig['agent_mode']
  }
}

export type UnderWay =
  | {
      kind: 'turn'
      turn_id: TurnId
      agent_id: string
      /** ISO time. */
      since: string
      phase: Phase
      iteration: number
      /** The plan that is carried out, and how far. */
      plan: { plan: ApprovedPlan; steps: readonly StepProgress[] } | null
    }
  | { kind: 'run'; run_id: RunId; agents: string[]; since: string; planning: boolean }

export interface OpenPending {
  /** The stream to name in `answer_pending`. */
  stream: TurnId | RunId
  agent_id: string | null
  pending: Pending
  card: PendingCard
  at: string
}

/** A team agent's tab. */
export interface AgentView {
  agent_id: string
  transcript: Transcript
  usage: Usage
  context_tokens: number | null
  /** Its turn under way, for what is being written. */
  turn_id: TurnId | null
  phase: Phase
}

/** Where the items of a turn or run go. */
export interface Owner {
  place: { kind: 'chat' } | { kind: 'agent'; agent_id: string } | { kind: 'child'; turn_id: TurnId }
  section: string
}

export { emptyChatView } from './empty-chat-view.ts'

export function foldChat(view: ChatView, envelope: Envelope): ChatView {
  const { stream, seq } = envelope
  if (seq === null) return { ...view, live: foldLive(view.live, envelope as Envelope<LiveEvent>) }
  if (seq <= seenUpTo(view, stream)) return view
  const next = { ...view, seen: setKey(view.seen, stream, seq) }
  if (stream.startsWith('chat_')) return foldSession(next, envelope as Envelope<SessionEvent>)
  if (stream.startsWith('run_')) return foldRunEvent(next, envelope as Envelope<RunEvent>)
  return foldTurnEvent(next, envelope as Envelope<TurnEvent>)
}

export const foldAll = (view: ChatView, envelopes: Iterable<Envelope>): ChatView => {
  let next = view
  for (const envelope of envelopes) next = foldChat(next, envelope)
  return next
}

/** The last sequence number of a stream that the view has taken in. */
export const seenUpTo = (view: ChatView, stream: StreamId): number => getKey(view.seen, stream) ?? 0

/** What a sub-agent said and did. */
export const childTranscript = (view: ChatView, turn: TurnId): Transcript =>
  getKey(view.inner.children, turn) ?? emptyTranscript

function foldSession(view: ChatView, envelope: Envelope<SessionEvent>): ChatView {
  const session = evolveSession(view.session, envelope.event)
  const { chat_id, title, folder, config, warning, plan } = session
  return foldSessionItems(
    { ...view, session, chat_id, title, folder, config, plan, warning: warning ?? null },
    envelope,
  )
}
