import type { Observation } from '../../schema/observation.ts'
import { lengthOf, toArray } from '../list.ts'
import { clip } from './observe.ts'
import type { TurnState } from './state.ts'

/** What was done, from the observations alone: for a turn that ended without words of its own. */
export function reportProgress(state: TurnState, why: string): string {
  const steps = toArray(state.observations)
  const failed = steps.filter((step) => !step.success).length
  const lines = [why]
  if (state.draft) lines.push(state.draft)
  if (state.files.length > 0)
    lines.push(`Changed so far: ${state.files.map((file) => file.path).join(', ')}.`)
  if (steps.length > 0) {
    lines.push(
      `${plural(steps.length, 'call')} in ${plural(state.iteration, 'iteration')}` +
        `${failed > 0 ? `, ${failed} of them failed` : ''}; the last was ${describeStep(steps.at(-1) as Observation)}.`,
    )
  }
  return lines.join('\n')
}

/** Every step with its observation, for a person who asked for it. */
export function detailSteps(state: TurnState): string {
  if (lengthOf(state.observations) === 0) return ''
  const steps = toArray(state.observations).map((step, index) => {
    const output = clip(step.output, 600).trimEnd()
    return `${index + 1}. ${describeStep(step)}${output ? `\n${output.replaceAll(/^/gm, '   | ')}` : ''}`
  })
  return ['Steps:', ...steps].join('\n')
}

export function describeStep({ tool, input, success, duration_ms }: Observation): string {
  const subject = ['command', 'pattern', 'path', 'question', 'task'].map((key) => input[key]).find(Boolean)
  const name = typeof subject === 'string' ? `${tool} ${clip(subject, 120)}` : tool
  return `${name} (${success ? 'ok' : 'failed'}, ${(duration_ms / 1000).toFixed(2)} s)`
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
