import type { Envelope } from '../schema/envelope.ts'
import type { RunId, StreamId, TurnId } from '../schema/ids.ts'
import type { Pending } from '../schema/pending.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import { type Usage, addUsage } from '../schema/usage.ts'
import type { ChatView, Owner } from './chat-view.ts'
import {
  chatSection,
  editAgent,
  editOwned,
  markRead,
  ownerOf,
  setOwner,
  withoutPendings,
} from './chat-view-edits.ts'
import { type TurnFold, foldTurn, initialTurnFold } from './fold-turn.ts'
import { getKey, setKey } from './keyed.ts'
import { type Live, dropLive } from './live.ts'
import { pendingCard } from './pending-card.ts'
import { withPhase, withUsage } from './run-view.ts'
import { putRun } from './put-run.ts'
import { ensureSection } from './transcript.ts'

/** Takes an event of a turn into its transcript and into what the chat shows of the work. */
export function foldTurnEvent(view: ChatView, envelope: Envelope<TurnEvent>): ChatView {
  const { event } = envelope
  const stream = envelope.stream as TurnId
  let next = event.type === 'turn.started' ? begin(view, stream, event) : view
  const before = getKey(next.inner.turns, stream) ?? initialTurnFold
  const owner = ownerOf(next, stream) ?? { place: { kind: 'chat' }, section: stream }
  let fold = before
  next = editOwned(next, owner, (section) => {
    const folded = foldTurn(before, section, envelope)
    fold = folded.fold
    return folded.section
  })
  next = { ...next, inner: { ...next.inner, turns: setKey(next.inner.turns, stream, fold) } }
  const launched = launchedRun(event)
  // One that goes on in the background has a place of its own, which the chat's log gives it.
  if (launched && !chatSection(next, launched)) next = setOwner(next, launched, owner)
  next = trackWork(next, stream, fold, event)
  next = trackUsage(next, stream, fold, event)
  next = trackPendings(next, envelope, fold)
  return { ...next, live: trackLive(next.live, stream, event) }
}

/** A run that a call of the turn is; what it tells is told where the turn is. */
function launchedRun(event: TurnEvent): RunId | undefined {
  if (event.type === 'run.launched') return event.run_id
  return event.type === 'tool.called' && event.child?.startsWith('run_') ? (event.child as RunId) : undefined
}

/** A sub-agent has a transcript of its own, a team agent its tab; all others write in the chat. */
function begin(
  view: ChatView,
  stream: TurnId,
  event: Extract<TurnEvent, { type: 'turn.started' }>,
): ChatView {
  const { agent_id, settings, parent } = event
  if (parent) return setOwner(view, stream, { place: { kind: 'child', turn_id: stream }, section: stream })
  if (!settings.team) return markRead(view, stream)
  const { run_id } = settings.team
  const owner: Owner = { place: { kind: 'agent', agent_id }, section: run_id }
  const tab = editAgent(view, agent_id, (agent) => ({
    ...agent,
    turn_id: stream,
    transcript: ensureSection(agent.transcript, run_id),
  }))
  return setOwner(tab, stream, owner)
}

function trackWork(view: ChatView, stream: TurnId, { state }: TurnFold, event: TurnEvent): ChatView {
  if (event.type !== 'phase.entered' && event.type !== 'plan.step_changed' && event.type !== 'turn.started')
    return view
  const { phase, iteration, steps, agent_id, settings } = state
  if (settings.team) {
    const run = getKey(view.inner.runs, settings.team.run_id)
    // A peer's question is answered in a turn beside the agent's own.
    const isIts = run?.agents.some((agent) => agent.agent_id === agent_id && agent.turn_id === stream)
    const shown =
      run && isIts && event.type === 'phase.entered' ? putRun(view, withPhase(run, agent_id, phase)) : view
    return editAgent(shown, agent_id, (agent) => (agent.turn_id === stream ? { ...agent, phase } : agent))
  }
  const work = view.under_way
  if (work?.kind !== 'turn' || work.turn_id !== stream) return view
  return { ...view, under_way: { ...work, phase, iteration, plan: work.plan && { ...work.plan, steps } } }
}

/** Every model call is in one log, so what sub-agents used is counted once: in their own. */
function trackUsage(view: ChatView, stream: TurnId, { state, parent }: TurnFold, event: TurnEvent): ChatView {
  const used =
    event.type === 'model.replied'
      ? event.reply.usage
      : event.type === 'context.compacted'
        ? event.usage
        : undefined
  if (!used) return view
  const total = { ...view, usage: addUsage(view.usage, used) }
  const tokens = event.type === 'model.replied' && !parent ? contextOf(used) : undefined
  const { team } = state.settings
  if (!team)
    return tokens === undefined || !isNewest(view, stream) ? total : { ...total, context_tokens: tokens }
  const run = getKey(view.inner.runs, team.run_id)
  const counted = run ? putRun(total, withUsage(run, state.agent_id, used)) : total
  return editAgent(counted, state.agent_id, (agent) => ({
    ...agent,
    usage: addUsage(agent.usage, used),
    context_tokens: tokens ?? agent.context_tokens,
  }))
}

const contextOf = ({ input_tokens, output_tokens }: Usage): number => input_tokens + output_tokens

/** Logs may be read from the newest back; only the newest says how full the context is. */
function isNewest({ under_way, session }: ChatView, stream: TurnId): boolean {
  if (under_way) return under_way.kind === 'turn' && under_way.turn_id === stream
  return session.turns?.last === stream
}

function trackPendings(
  view: ChatView,
  { event, at, stream }: Envelope<TurnEvent>,
  { state }: TurnFold,
): ChatView {
  switch (event.type) {
    case 'pending.opened':
      return openPending(view, { stream, at, agent_id: state.agent_id, pending: event.pending })
    case 'pending.answered':
      return withoutPendings(view, stream, event.pending_id)
    case 'turn.finished':
      return withoutPendings(view, stream)
    default:
      return view
  }
}

export function openPending(
  view: ChatView,
  {
    stream,
    at,
    agent_id,
    pending,
  }: { stream: StreamId; at: string; agent_id: string | null; pending: Pending },
): ChatView {
  const opened = { stream: stream as TurnId, agent_id, pending, card: pendingCard(pending), at }
  return { ...view, pendings: [...view.pendings, opened] }
}

function trackLive(live: Live, stream: TurnId, event: TurnEvent): Live {
  switch (event.type) {
    case 'model.replied':
      return dropLive(live, stream, 'reply')
    case 'tool.finished':
      return dropLive(live, stream, { call_id: event.call_id })
    case 'turn.finished':
      return dropLive(live, stream, 'all')
    default:
      return live
  }
}
