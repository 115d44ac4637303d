import type { IndexChange } from '../ports/journal.ts'
import type { DurableEvent } from '../schema/envelope.ts'

/** What an event changes in the index of chats: stored in the same transaction as the event. */
export function project(event: DurableEvent): IndexChange | undefined {
  switch (event.type) {
    case 'chat.created': {
      const { title, folder, forked_from } = event
      return { entry: { kind: 'chat', title, folder, status: 'new' }, links: forked_from?.turns ?? [] }
    }
    case 'message.added':
      return { texts: [event.message.text] }
    case 'turn.opened':
      return { entry: { kind: 'chat', status: 'working' }, links: [event.turn_id] }
    case 'turn.closed':
      return { entry: { kind: 'chat', status: event.outcome } }
    case 'subtask.started':
      return { links: [event.turn_id] }
    case 'tool.called':
      return event.child ? { links: [event.child] } : undefined
    case 'chat_config.changed':
    case 'plan.proposed':
    case 'plan.approved':
    case 'plan.rejected':
    case 'plan.stored':
    case 'plan.executed':
    case 'plan.step_changed':
    case 'turn.started':
    case 'phase.entered':
    case 'model.replied':
    case 'tool.finished':
    case 'external.authorized':
    case 'external.finished':
    case 'observation.recorded':
    case 'subtasks.planned':
    case 'subtask.finished':
    case 'context.trimmed':
    case 'compaction.requested':
    case 'context.compacted':
    case 'limit.extended':
    case 'guardrail.tripped':
    case 'reflection.requested':
    case 'reflection.recorded':
    case 'guidance.given':
    case 'pending.opened':
    case 'pending.answered':
    case 'permission.granted':
    case 'turn.finished':
      return undefined
  }
}
