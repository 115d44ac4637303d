import type { Envelope } from '../schema/envelope.ts'
import type { RunEvent } from '../schema/run-event.ts'

export interface TimelineEntry {
  id: string
  at: string
  agent_id: string | null
  kind:
    | 'answer'
    | 'sees'
    | 'vote'
    | 'vote_rejected'
    | 'voting'
    | 'result'
    | 'override'
    | 'present'
    | 'out'
    | 'end'
  text: string
}

/** What an event adds to the course of a run; most add nothing. */
export function timelineEntry({ stream, seq, at, event }: Envelope<RunEvent>): TimelineEntry | undefined {
  const entry = (kind: TimelineEntry['kind'], agent_id: string | null, text: string): TimelineEntry => ({
    ...{ id: `${stream}:${seq}`, at, agent_id, kind, text },
  })
  switch (event.type) {
    case 'answer.submitted':
      return entry('answer', event.agent_id, `answer ${event.label}`)
    case 'update.injected':
      return event.delivered ? entry('sees', event.agent_id, `sees ${event.labels.join(', ')}`) : undefined
    case 'vote.cast':
      return entry('vote', event.voter, `votes ${event.label} "${event.reason}"`)
    case 'vote.rejected':
      return entry('vote_rejected', event.voter, `vote for ${event.for} not counted: ${event.reason}`)
    case 'voting.opened':
      return entry('voting', null, 'voting is open')
    case 'voting.completed':
      return entry('result', event.winner, `${event.label} wins${event.tie ? ' a tie' : ''}`)
    case 'winner.overridden':
      return entry('override', event.agent_id, `${event.label} chosen by ${event.by}`)
    case 'presentation.started':
      return entry('present', event.agent_id, `presents (${event.strategy})`)
    case 'agent.out':
      return entry('out', event.agent_id, `takes no further part: ${event.reason}`)
    case 'run.finished':
      return entry('end', null, event.status)
    default:
      return undefined
  }
}
