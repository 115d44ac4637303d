import type { Observation } from '../../schema/observation.ts'
import type { GuardrailKind } from '../../schema/turn-event.ts'

export interface Tripped {
  guardrail: GuardrailKind
  detail: string
}

/** How far back a guardrail looks. */
export const GUARDRAIL_WINDOW = 12

const SAME_CALL = 3
const PING_PONG = 6
const STALE = 8
const FAILURES_ALIKE = 3
const FAILURES = 5
/** A call that itself takes this long is waiting for something: polling, not looping. */
const POLLING_MS = 900

/** Looks for an agent going in circles. Only the newest observations are judged, and polling is not a circle. */
export function checkGuardrails(recent: readonly Observation[]): Tripped | undefined {
  const steps = recent.filter((step) => step.duration_ms < POLLING_MS && !sleeps(step))
  // A slow command that fails alike is stuck; one that sleeps first may well fail until what it waits for is there.
  const attempts = recent.filter((step) => !sleeps(step))
  return sameCall(steps) ?? pingPong(steps) ?? repeatedFailure(attempts) ?? noProgress(steps)
}

function sleeps({ input: { command } }: Observation): boolean {
  return typeof command === 'string' && command.includes('sleep ')
}

/** The very same call with the very same result: nothing was learned. A changed result is progress. */
function sameCall(steps: readonly Observation[]): Tripped | undefined {
  const last = steps.slice(-SAME_CALL)
  const [first] = last
  if (last.length < SAME_CALL || !first || !last.every((step) => alike(step, first))) return undefined
  return {
    guardrail: 'same_call',
    detail: `${first.tool} was called ${SAME_CALL} times with the same input and result`,
  }
}

function pingPong(steps: readonly Observation[]): Tripped | undefined {
  const last = steps.slice(-PING_PONG)
  const [a, b] = last
  if (last.length < PING_PONG || !a || !b || alike(a, b)) return undefined
  if (!last.every((step, index) => alike(step, index % 2 === 0 ? a : b))) return undefined
  return { guardrail: 'ping_pong', detail: `${a.tool} and ${b.tool} alternate without a new result` }
}

function repeatedFailure(steps: readonly Observation[]): Tripped | undefined {
  const failures = steps.slice(-FAILURES)
  const alikeFailures = steps.slice(-FAILURES_ALIKE)
  const [first] = alikeFailures
  if (
    first &&
    alikeFailures.length === FAILURES_ALIKE &&
    alikeFailures.every((step) => !step.success && step.tool === first.tool && step.error === first.error)
  ) {
    return {
      guardrail: 'repeated_failure',
      detail: `${first.tool} failed ${FAILURES_ALIKE} times alike: ${first.error}`,
    }
  }
  if (failures.length < FAILURES || failures.some((step) => step.success)) return undefined
  return { guardrail: 'repeated_failure', detail: `the last ${FAILURES} calls all failed` }
}

/** A long stretch in which every result had been seen before and nothing was written. */
function noProgress(steps: readonly Observation[]): Tripped | undefined {
  const last = steps.slice(-STALE)
  if (last.length < STALE || last.some((step) => step.files?.length)) return undefined
  const distinct = new Set(last.map((step) => `${step.tool}\n${JSON.stringify(step.input)}\n${step.output}`))
  if (distinct.size > STALE / 2) return undefined
  return {
    guardrail: 'no_progress',
    detail: `the last ${STALE} calls brought ${distinct.size} different results`,
  }
}

const alike = (a: Observation, b: Observation): boolean =>
  a.tool === b.tool && a.output === b.output && JSON.stringify(a.input) === JSON.stringify(b.input)
