import type { StreamId, TurnId } from '../schema/ids.ts'
import type { AgentView, ChatView, Owner } from './chat-view.ts'
import { getKey, setKey } from './keyed.ts'
import { noUsage } from '../schema/usage.ts'
import { type Section, changeSection, emptyTranscript, findSection } from './transcript.ts'

export const ownerOf = (view: ChatView, stream: StreamId): Owner | undefined =>
  getKey(view.inner.owners, stream)

export const setOwner = (view: ChatView, stream: StreamId, owner: Owner): ChatView => ({
  ...view,
  inner: { ...view.inner, owners: setKey(view.inner.owners, stream, owner) },
})

/** Changes the section a turn or run writes to. */
export function editOwned(view: ChatView, owner: Owner, edit: (section: Section) => Section): ChatView {
  const { place, section } = owner
  switch (place.kind) {
    case 'chat':
      return { ...view, transcript: changeSection(view.transcript, section, edit) }
    case 'agent':
      return editAgent(view, place.agent_id, (agent) => ({
        ...agent,
        transcript: changeSection(agent.transcript, section, edit),
      }))
    case 'child': {
      const before = getKey(view.inner.children, place.turn_id) ?? emptyTranscript
      const children = setKey(view.inner.children, place.turn_id, changeSection(before, section, edit))
      return { ...view, inner: { ...view.inner, children } }
    }
  }
}

/** The section of the chat in which a turn or run has its place, if it has one. */
export const chatSection = (view: ChatView, id: string): Section | undefined =>
  findSection(view.transcript, id)

export function editAgent(view: ChatView, agent_id: string, edit: (agent: AgentView) => AgentView): ChatView {
  const index = view.agents.findIndex((agent) => agent.agent_id === agent_id)
  const known = view.agents[index]
  if (!known) return { ...view, agents: [...view.agents, edit(newAgent(agent_id))] }
  return { ...view, agents: view.agents.with(index, edit(known)) }
}

const newAgent = (agent_id: string): AgentView => ({
  agent_id,
  transcript: emptyTranscript,
  usage: noUsage,
  context_tokens: null,
  turn_id: null,
  phase: 'Idle',
})

export const withoutPendings = (view: ChatView, stream: StreamId, pending_id?: string): ChatView => {
  const left = view.pendings.filter(
    ({ stream: of, pending }) => of !== stream || (pending_id !== undefined && pending.id !== pending_id),
  )
  return left.length === view.pendings.length ? view : { ...view, pendings: left }
}

/** Notes that the log of something the chat lists is there. */
export function markRead(view: ChatView, id: TurnId | string): ChatView {
  const section = chatSection(view, id)
  return section && !section.loaded ? { ...view, unread: Math.max(0, view.unread - 1) } : view
}
