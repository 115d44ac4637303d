import type { Observation } from '../../schema/observation.ts'
import type { SettledCall } from './state.ts'

/** Longest text kept in an observation; the call and its result hold the rest. */
const LONGEST = 2_000

export function observe({ call, success, output, duration_ms, files }: SettledCall): Observation {
  const observation: Observation = {
    call_id: call.id,
    tool: call.name,
    input: clipInput(call.input),
    output: clip(output),
    duration_ms,
    success,
  }
  if (!success) observation.error = clip(output)
  if (files?.length) observation.files = files
  return observation
}

/** Keeps the head and the tail: commands say at their end how they went. */
export function clip(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`
}

function clipInput(input: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(input)
  if (text.length <= LONGEST) return input
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' ? clip(value) : clip(JSON.stringify(value) ?? 'null'),
    ]),
  )
}
