import { clip } from '../core/turn/observe.ts'
import { describeStep } from '../core/turn/summary.ts'
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
    case 'model.retrying':
      return `  trying again in ${(event.delay_ms / 1000).toFixed(1)} s: ${event.reason}`
    default:
      return undefined
  }
}
