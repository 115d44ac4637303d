import type { RunState } from '../core/run/state.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { RunEvent } from '../schema/run-event.ts'
import { appendItem, changeItem, keepDraft } from './section-edits.ts'
import { getAt } from './sequence.ts'
import { spokenText } from './spoken-text.ts'
import { clipText, itemBase } from './tool-card.ts'
import type { Section } from './transcript.ts'
import type { AnswerSubmitted, OverrideItem, TranscriptItem, UserMessage } from './transcript-item.ts'

/**
 * Takes one event of a run into a section: the run's own in the chat, or that of an agent's tab. `agent_id` names the
 * agent whose tab it is; events that are about others are left out there.
 */
export function foldRunItems(
  state: RunState,
  section: Section,
  envelope: Envelope<RunEvent>,
  agent_id?: string,
): Section {
  const { event } = envelope
  switch (event.type) {
    case 'run.started': {
      const { prompt: text, pictures } = event
      const asked: UserMessage = {
        ...itemBase(envelope),
        kind: 'user_message',
        text,
        ...(pictures && { pictures }),
      }
      const head = agent_id !== undefined && section.head.length === 0 ? [asked] : section.head
      return { ...section, head, loaded: true }
    }
    case 'evidence.recorded':
      if (agent_id !== undefined && !answered(state, agent_id, event.label)) return section
      return editLast(section, 'answer_submitted', ({ label }) => label === event.label, {
        evidence: event.results,
      } satisfies Partial<AnswerSubmitted>)
    case 'pending.answered':
      if (agent_id !== undefined) return section
      return editLast(section, 'override', ({ pending }) => pending?.id === event.pending_id, {
        ...(event.answer.kind === 'override' && event.answer.decision === 'continue' && { state: 'kept' }),
        by: event.by,
      } satisfies Partial<OverrideItem>)
    case 'winner.overridden':
      if (agent_id !== undefined) return section
      return editLast(section, 'override', () => true, {
        ...{ state: 'overridden', chosen: event.agent_id, label: event.label, by: event.by },
      } satisfies Partial<OverrideItem>)
    case 'writes.recorded': {
      if (agent_id !== undefined) return section
      const { files, footer } = event
      const foot = { ...itemBase(envelope), kind: 'written_files', files, footer } as const
      return files.length > 0 ? { ...section, foot: [...section.foot, foot] } : section
    }
    default: {
      const item = itemOf(state, envelope)
      if (!item || (agent_id !== undefined && item.agent_id !== agent_id)) return section
      return appendItem(keepDraft(section), item)
    }
  }
}

function itemOf(state: RunState, envelope: Envelope<RunEvent>): TranscriptItem | undefined {
  const { event, stream } = envelope
  const base = (agent_id?: string) => itemBase(envelope, agent_id)
  switch (event.type) {
    case 'agent.started':
      return event.reminder > 0
        ? { ...base(event.agent_id), kind: 'reminder', count: event.reminder }
        : undefined
    case 'answer.submitted': {
      const { label, agent_id, call_id, snapshot } = event
      const { files, added, removed } = snapshot
      const text = clipText(spokenText(event.text), { stream, call_id })
      return { ...base(agent_id), kind: 'answer_submitted', label, text, files, added, removed, evidence: [] }
    }
    case 'answer.rejected':
      return {
        ...{ ...base(event.agent_id), kind: 'notice', tone: 'warning' },
        text: `answer not taken: ${event.reason}`,
      }
    case 'update.injected': {
      const { labels, agent_id, delivered } = event
      return delivered ? { ...base(agent_id), kind: 'injected_update', labels } : undefined
    }
    case 'vote.cast': {
      const { label, reason } = event
      return { ...base(event.voter), kind: 'vote_cast', for: event.for, label, reason }
    }
    case 'vote.rejected':
      return { ...base(event.voter), kind: 'vote_rejected', for: event.for, reason: event.reason }
    case 'question.asked':
      return {
        ...{ ...base(event.agent_id), kind: 'notice', tone: 'info' },
        text: `asks ${event.peer}: ${event.question}`,
      }
    case 'agent.warned':
      return {
        ...{ ...base(event.agent_id), kind: 'notice', tone: 'warning' },
        text: 'told that its time is nearly over',
      }
    case 'agent.out':
      return {
        ...{ ...base(event.agent_id), kind: 'notice', tone: 'warning' },
        text: `takes no further part: ${event.reason}`,
      }
    case 'agent.finished': {
      const { agent_id, failure } = event
      if (!failure) return undefined
      return { ...base(agent_id), kind: 'notice', tone: 'error', text: failure.message, hint: failure.hint }
    }
    case 'voting.completed': {
      const { type: _, ...decision } = event
      return { ...base(), kind: 'voting_completed', ...decision }
    }
    case 'pending.opened': {
      const { pending } = event
      if (pending.kind !== 'override') return undefined
      return { ...base(), kind: 'override', state: 'offered', pending }
    }
    case 'presentation.started':
      return { ...base(event.agent_id), kind: 'presentation', strategy: event.strategy }
    case 'answer.applied': {
      if (event.conflicts.length === 0) return undefined
      const text = event.conflicts.map(({ path, reason }) => `${path} was not written: ${reason}`).join('\n')
      return { ...base(), kind: 'notice', tone: 'warning', text }
    }
    case 'deadline.reached':
      return {
        ...base(),
        kind: 'notice',
        tone: 'warning',
        text: `the time for the ${event.deadline} is over`,
      }
    case 'run.finished': {
      const { status, failure } = event
      return { ...base(), kind: 'run_finished', run_id: state.run_id, status, ...(failure && { failure }) }
    }
    default:
      return undefined
  }
}

const answered = ({ agents }: RunState, id: string, label: string): boolean =>
  agents.some((agent) => agent.id === id && agent.answers.some((answer) => answer.label === label))

/** The newest item of a kind that fits; runs are short, so the way back is. */
function editLast<K extends TranscriptItem['kind']>(
  section: Section,
  kind: K,
  fits: (item: Extract<TranscriptItem, { kind: K }>) => boolean,
  edit: Partial<TranscriptItem>,
): Section {
  for (let index = section.body.length - 1; index >= 0; index--) {
    const item = getAt(section.body, index)
    if (item?.kind === kind && fits(item as Extract<TranscriptItem, { kind: K }>)) {
      return changeItem(section, index, edit)
    }
  }
  return section
}
