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
    case 'run.opened':
      return {
        ...(event.background ? {} : { entry: { kind: 'chat', status: 'working' } }),
        links: [event.run_id],
      }
    case 'turn.closed':
      return { entry: { kind: 'chat', status: event.outcome } }
    case 'run.closed':
      return event.background ? undefined : { entry: { kind: 'chat', status: event.outcome } }
    case 'subtask.started':
    case 'agent.started':
    case 'question.asked':
      return { links: [event.turn_id] }
    case 'run.launched':
      return { links: [event.run_id] }
    case 'tool.called':
      return event.child ? { links: [event.child] } : undefined
    case 'chat_config.changed':
    case 'session.compaction_requested':
    case 'session.compacted':
    case 'session.compaction_failed':
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
    case 'run.started':
    case 'agent.finished':
    case 'answer.submitted':
    case 'answer.rejected':
    case 'evidence.recorded':
    case 'voting.opened':
    case 'update.injected':
    case 'update.received':
    case 'vote.cast':
    case 'vote.rejected':
    case 'question.answered':
    case 'agent.warned':
    case 'agent.out':
    case 'voting.completed':
    case 'winner.overridden':
    case 'writes.enabled':
    case 'answer.applied':
    case 'presentation.started':
    case 'writes.recorded':
    case 'deadline.reached':
    case 'run.ending':
    case 'run.finished':
    case 'log.stored':
      return undefined
  }
}
