import { readChatConfig } from '../schema/chat-config.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import type { Message } from '../schema/message.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { compactionLine } from './compaction.ts'
import { addUsage } from '../schema/usage.ts'
import type { ChatView } from './chat-view.ts'
import { chatSection, setOwner } from './chat-view-edits.ts'
import { spokenText } from './spoken-text.ts'
import { type Section, changeSection } from './transcript.ts'
import { itemBase } from './tool-card.ts'
import type { AgentMessage, Notice } from './transcript-item.ts'

/** Takes an event of the chat into its transcript. What is said belongs to the turn or run it led to or came from. */
export function foldSessionItems(view: ChatView, envelope: Envelope<SessionEvent>): ChatView {
  const { event, at } = envelope
  switch (event.type) {
    case 'message.added':
      return addMessage(view, envelope, event.message)
    case 'turn.opened': {
      const { turn_id, agent_id, settings } = event
      const begun = own(view, turn_id)
      const plan = settings.plan ? { plan: settings.plan, steps: [] } : null
      const under_way = {
        kind: 'turn',
        turn_id,
        agent_id,
        since: at,
        phase: 'Idle',
        iteration: 0,
        plan,
      } as const
      return { ...begun, under_way }
    }
    case 'run.opened': {
      const { run_id, settings } = event
      const agents = settings.agents.map(({ id }) => id)
      const planning = settings.turn.mode === 'Plan'
      if (event.background) return own(view, run_id)
      return { ...own(view, run_id), under_way: { kind: 'run', run_id, agents, since: at, planning } }
    }
    case 'turn.closed':
      return { ...view, under_way: null }
    case 'run.closed':
      return event.background ? view : { ...view, under_way: null }
    case 'chat_config.changed': {
      const mode = event.config.agent_mode
      const before = view.inner.mode ?? mode
      const next = { ...view, inner: { ...view.inner, mode } }
      return before === mode ? next : note(next, envelope, { tone: 'info', text: `${mode} mode` })
    }
    case 'chat.created':
      return { ...view, inner: { ...view.inner, mode: readChatConfig(event.config).config.agent_mode } }
    case 'plan.rejected':
      return note(view, envelope, {
        tone: 'info',
        text: `revision ${event.revision} of ${event.plan_id} was rejected`,
      })
    case 'session.compaction_requested':
      return note(view, envelope, { tone: 'info', text: compactionLine(event) })
    case 'session.compacted': {
      const counted = { ...view, usage: addUsage(view.usage, event.usage) }
      return note(counted, envelope, { tone: 'info', text: compactionLine(event) })
    }
    case 'session.compaction_failed':
      return note(view, envelope, { tone: 'warning', text: compactionLine(event) })
    case 'plan.proposed':
    case 'plan.approved':
    case 'plan.stored':
    case 'plan.executed':
    case 'permission.granted':
      return view
  }
}

/** A section in the chat for what a turn or run will tell. */
function own(view: ChatView, id: TurnId | RunId): ChatView {
  const known = chatSection(view, id)
  const transcript = known ? view.transcript : changeSection(view.transcript, id, (section) => section)
  const owned = setOwner({ ...view, transcript }, id, { place: { kind: 'chat' }, section: id })
  return known ? owned : { ...owned, unread: owned.unread + 1 }
}

function addMessage(view: ChatView, envelope: Envelope, message: Message): ChatView {
  const work = message.run_id ?? message.turn_id
  const owned = work ? own(view, work) : view
  const id = work ?? `${envelope.stream}:${message.id}`
  return {
    ...owned,
    transcript: changeSection(owned.transcript, id, (section) => place(section, envelope, message)),
  }
}

function place(section: Section, envelope: Envelope, message: Message): Section {
  const base = itemBase(envelope, message.agent_id)
  const { role, text, pictures, plan, pending_id } = message
  if (role === 'user') {
    const said = { ...base, kind: 'user_message', text, ...(pictures && { pictures }) } as const
    return { ...section, head: [...section.head, said] }
  }
  const said: AgentMessage = {
    ...{ ...base, kind: 'agent_message', message_type: shownType(message) },
    ...(plan ? { plan, text, words: spokenText(text, { data: 'dropped' }) } : { text: spokenText(text) }),
  }
  return pending_id === undefined
    ? { ...section, tail: [...section.tail, said] }
    : { ...section, noted: [...section.noted, said] }
}

const shownType = ({ message_type }: Message): AgentMessage['message_type'] =>
  message_type === 'Plan' || message_type === 'Question' ? message_type : 'Text'

function note(view: ChatView, envelope: Envelope, notice: Pick<Notice, 'tone' | 'text'>): ChatView {
  const base = itemBase(envelope)
  const transcript = changeSection(view.transcript, base.id, (section) => ({
    ...section,
    tail: [{ ...base, kind: 'notice', ...notice }],
  }))
  return { ...view, transcript }
}
