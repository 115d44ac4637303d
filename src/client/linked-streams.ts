import type { DurableEvent, Envelope } from '../schema/envelope.ts'
import type { RunId, TurnId } from '../schema/ids.ts'

/** The log that begins with this event, as part of what the event belongs to. */
export function linkedStream(event: Envelope['event']): TurnId | RunId | undefined {
  switch (event.type) {
    case 'turn.opened':
    case 'subtask.started':
      return event.turn_id
    case 'run.opened':
    case 'run.launched':
      return event.run_id
    case 'agent.started':
    case 'question.asked':
      return event.turn_id
    case 'tool.called':
      return event.child
    default:
      return undefined
  }
}

/** Nothing comes after it in its log. */
export const endsStream = ({ type }: DurableEvent | Envelope['event']): boolean =>
  type === 'turn.finished' || type === 'log.stored'
