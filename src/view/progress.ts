import { clip } from '../core/turn/observe.ts'
import { describeStep, plural } from '../core/turn/summary.ts'
import { compactionLine } from './compaction.ts'
import type { Envelope } from '../schema/envelope.ts'

/** One line for a person watching a headless run; most events are not worth one. */
export function progressLine({ event }: Envelope): string | undefined {
  switch (event.type) {
    case 'phase.entered':
      if (event.phase === 'Planning') return `Planning (iteration ${event.iteration})`
      return event.phase === 'Acting' || event.phase === 'Observing' ? event.phase : undefined
    case 'model.replied':
      return event.reply.calls.length > 0 && event.reply.text ? `  ${clip(event.reply.text, 200)}` : undefined
    case 'observation.recorded':
      return `  ${describeStep(event.observation)}`
    case 'guardrail.tripped':
      return `  going in circles: ${event.detail}`
    case 'reflection.recorded':
      return `Reflecting: ${event.verdict}${event.by === 'model' ? `, ${event.reason}` : ''}`
    case 'subtask.started':
      return `  sub-task ${event.subtask_id} started`
    case 'subtask.finished':
      return `  sub-task ${event.subtask_id}: ${event.outcome}`
    case 'session.compaction_requested':
    case 'session.compacted':
    case 'session.compaction_failed':
      return compactionLine(event)
    case 'model.retrying':
      return `  trying again in ${(event.delay_ms / 1000).toFixed(1)} s: ${event.reason}`
    case 'run.started':
      return `A team starts: ${event.settings.agents.map(({ id }) => id).join(', ')}`
    case 'agent.started':
      if (event.reminder > 0) return `${event.agent_id}: reminded to answer or vote`
      return `${event.agent_id}: ${purposes[event.purpose]} (round ${event.round})`
    case 'answer.submitted': {
      const { files, added, removed } = event.snapshot
      const changed = files > 0 ? `, ${plural(files, 'file')} +${added} −${removed}` : ''
      return `${event.agent_id}: answer ${event.label}${changed}: ${clip(oneLine(event.text), 160)}`
    }
    case 'answer.rejected':
      return `${event.agent_id}: answer not taken: ${event.reason}`
    case 'evidence.recorded':
      return `  ${event.label}: ${event.results.map(({ name, status }) => `${name} ${status}`).join(', ')}`
    case 'update.injected':
      return event.delivered ? `${event.agent_id}: sees ${event.labels.join(', ')}` : undefined
    case 'vote.cast':
      return `${event.voter}: votes ${event.label}: ${clip(oneLine(event.reason), 160)}`
    case 'vote.rejected':
      return `${event.voter}: vote for ${event.for} not counted: ${event.reason}`
    case 'agent.out':
      return `${event.agent_id}: takes no further part: ${event.reason}`
    case 'voting.completed': {
      const votes = event.tally.map(({ agent, votes }) => `${agent} ${votes}`).join(' · ')
      return `Votes: ${votes}; ${event.label} of ${event.winner} ${event.tie ? 'wins a tie' : 'wins'}`
    }
    case 'winner.overridden':
      return `Winner overridden by ${event.by}: ${event.label} of ${event.agent_id}`
    case 'presentation.started':
      return `${event.agent_id}: presents (${event.strategy})`
    case 'deadline.reached':
      return `The time for the ${event.deadline} is over`
    default:
      return undefined
  }
}

const purposes = {
  answer: 'works on an answer',
  vote: 'looks at the answers',
  present: 'prepares the final answer',
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
