import type { TurnState } from '../core/turn/state.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { Pending } from '../schema/pending.ts'
import type { ToolCall, TurnEvent } from '../schema/turn-event.ts'
import type { TurnFold } from './fold-turn.ts'
import { appendItem, changeItem } from './section-edits.ts'
import { getAt } from './sequence.ts'
import { itemBase, newToolCard, resultOf } from './tool-card.ts'
import type { Section } from './transcript.ts'
import type { AgentMessage, SubtaskLine, ToolCallItem } from './transcript-item.ts'

/** A card or question that something is still to happen to. `key` is the call's or the pending's id. */
export interface OpenItem {
  key: string
  index: number
  pending_id?: string
  /** An agent with tools of its own runs it: its result comes under another id. */
  external?: true
}

export interface CallsFold {
  open: readonly OpenItem[]
  section: Section
}

/** Takes an event about a call or about something that waits into the section; nothing when it is about neither. */
export function foldCalls(
  { state, open }: TurnFold,
  section: Section,
  envelope: Envelope<TurnEvent>,
): CallsFold | undefined {
  const { event, stream } = envelope
  const base = itemBase(envelope, state.agent_id)
  const add = (item: ToolCallItem | AgentMessage, entry: Omit<OpenItem, 'index'>): CallsFold => ({
    open: [...open, { ...entry, index: section.body.length }],
    section: appendItem(section, item),
  })
  switch (event.type) {
    case 'tool.called': {
      const { call, read_only, confined, child } = event
      const more = {
        status: 'running',
        read_only,
        ...(confined && { confined }),
        ...(child && { child }),
      } as const
      const known = open.find(({ key }) => key === call.id)
      if (!known) return add(newToolCard(base, call, more), { key: call.id })
      return { open, section: changeItem<ToolCallItem>(section, known.index, more) }
    }
    case 'tool.finished': {
      const known = open.find(({ key }) => key === event.call_id)
      const result = resultOf(stream, event.call_id, event)
      if (known) return settle(open, known, changeItem<ToolCallItem>(section, known.index, result))
      const call = findCall(state, event.call_id)
      return { open, section: appendItem(section, newToolCard(base, call, { status: 'failed', ...result })) }
    }
    case 'external.finished': {
      const { call, read_only } = event
      const result = { ...resultOf(stream, call.id, event), read_only }
      const known = open.find((item) => item.external && isSameCall(section, item, call))
      if (known) return settle(open, known, changeItem<ToolCallItem>(section, known.index, result))
      return { open, section: appendItem(section, newToolCard(base, call, { status: 'ok', ...result })) }
    }
    case 'run.launched': {
      const known = open.find(({ key }) => key === event.call_id)
      const edit = { child: event.run_id }
      return { open, section: known ? changeItem<ToolCallItem>(section, known.index, edit) : section }
    }
    case 'subtasks.planned':
      return editSubtasks(open, section, event.call_id, () =>
        event.subtasks.map(({ id, task }) => ({ id, task, status: 'waiting' })),
      )
    case 'subtask.started':
      return editSubtasks(open, section, event.call_id, (lines) =>
        lines.map((line) =>
          line.id === event.subtask_id ? { ...line, status: 'running', turn_id: event.turn_id } : line,
        ),
      )
    case 'subtask.finished':
      return editSubtasks(open, section, event.call_id, (lines) =>
        lines.map((line) =>
          line.id === event.subtask_id ? { ...line, status: event.outcome, summary: event.summary } : line,
        ),
      )
    case 'pending.opened': {
      const { pending } = event
      if (pending.kind === 'tool_approval' || pending.kind === 'run_approval') {
        const more = { status: 'waiting', pending_id: pending.id } as const
        const external = pending.kind === 'tool_approval' && pending.external
        const entry = { key: pending.call.id, pending_id: pending.id, ...(external && { external }) }
        return add(newToolCard(base, pending.call, more), entry)
      }
      const asked = add(
        { ...base, kind: 'agent_message', message_type: 'Question', text: questionOf(pending), pending },
        { key: pending.id, pending_id: pending.id },
      )
      // The reply was the question, as data.
      return pending.kind === 'question' ? { ...asked, section: { ...asked.section, draft: null } } : asked
    }
    case 'pending.answered': {
      const { answer, by } = event
      const known = open.find(({ pending_id }) => pending_id === event.pending_id)
      if (!known) return { open, section }
      if (answer.kind === 'tool_approval' || answer.kind === 'run_approval') {
        if (!known.external) return { open, section }
        const allowed = answer.kind === 'tool_approval' && answer.decision !== 'deny'
        const edited = changeItem<ToolCallItem>(section, known.index, {
          status: allowed ? 'running' : 'failed',
        })
        return allowed ? { open, section: edited } : settle(open, known, edited)
      }
      return settle(open, known, changeItem<AgentMessage>(section, known.index, { answer, answered_by: by }))
    }
    default:
      return undefined
  }
}

/** What was open when the turn ended will not be settled any more. */
export function cutOpenItems(open: readonly OpenItem[], section: Section): Section {
  return open.reduce((cut, { index }) => {
    const item = getAt(cut.body, index)
    if (item?.kind !== 'tool_call' || (item.status !== 'running' && item.status !== 'waiting')) return cut
    return changeItem<ToolCallItem>(cut, index, { status: 'interrupted' })
  }, section)
}

const settle = (open: readonly OpenItem[], known: OpenItem, section: Section): CallsFold => ({
  open: open.filter((item) => item !== known),
  section,
})

/** A call that was refused before it began is still in the queue. */
function findCall({ queue, open }: TurnState, id: string): ToolCall {
  const call =
    queue.find((queued) => queued.id === id) ?? open.find((running) => running.call.id === id)?.call
  return call ?? { id, name: 'unknown', input: {} }
}

function isSameCall(section: Section, { index }: OpenItem, { name, input }: ToolCall): boolean {
  const item = getAt(section.body, index)
  return (
    item?.kind === 'tool_call' &&
    item.name === name &&
    JSON.stringify(item.call.input) === JSON.stringify(input)
  )
}

function editSubtasks(
  open: readonly OpenItem[],
  section: Section,
  call_id: string,
  edit: (lines: readonly SubtaskLine[]) => SubtaskLine[],
): CallsFold {
  const known = open.find(({ key }) => key === call_id)
  const item = known && getAt(section.body, known.index)
  if (!known || item?.kind !== 'tool_call') return { open, section }
  return {
    open,
    section: changeItem<ToolCallItem>(section, known.index, { subtasks: edit(item.subtasks ?? []) }),
  }
}

function questionOf(pending: Pending): string {
  return 'question' in pending ? pending.question : ''
}
