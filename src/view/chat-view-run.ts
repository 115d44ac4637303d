import type { Envelope } from '../schema/envelope.ts'
import type { RunId } from '../schema/ids.ts'
import type { RunEvent } from '../schema/run-event.ts'
import type { ChatView } from './chat-view.ts'
import { editAgent, editOwned, markRead, ownerOf, setOwner, withoutPendings } from './chat-view-edits.ts'
import { openPending } from './chat-view-turn.ts'
import { foldRunItems } from './fold-run-items.ts'
import { getKey } from './keyed.ts'
import { putRun } from './put-run.ts'
import { foldRun, initialRunView } from './run-view.ts'
import { changeSection, ensureSection } from './transcript.ts'

/** Takes an event of a run into the chat, the tabs of its agents and the view of the team. */
export function foldRunEvent(view: ChatView, envelope: Envelope<RunEvent>): ChatView {
  const { event, stream } = envelope
  const run_id = stream as RunId
  const run = foldRun(getKey(view.inner.runs, run_id) ?? initialRunView, envelope)
  let next = event.type === 'run.started' ? markRead(view, run_id) : view
  const owner = ownerOf(next, run_id) ?? { place: { kind: 'chat' as const }, section: run_id }
  next = setOwner(putRun(next, run), run_id, owner)
  next = editOwned(next, owner, (section) => foldRunItems(run.state, section, envelope))
  for (const { agent_id } of run.agents) {
    next = editAgent(next, agent_id, (agent) => {
      const transcript = ensureSection(agent.transcript, run_id)
      const edited = changeSection(transcript, run_id, (section) =>
        foldRunItems(run.state, section, envelope, agent_id),
      )
      const ended = event.type === 'agent.finished' && event.turn_id === agent.turn_id
      return { ...agent, transcript: edited, turn_id: ended ? null : agent.turn_id }
    })
  }
  switch (event.type) {
    case 'pending.opened':
      return openPending(next, { stream, at: envelope.at, agent_id: null, pending: event.pending })
    case 'pending.answered':
      return withoutPendings(next, stream, event.pending_id)
    case 'run.ending':
    case 'run.finished':
      return withoutPendings(next, stream)
    default:
      return next
  }
}
