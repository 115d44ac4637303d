import type { Verdict } from '../../../schema/turn-event.ts'

export interface Call {
  name: string
  input: Record<string, unknown>
}

/** What the planner does next. */
export type Action =
  | { kind: 'calls'; say: string; calls: Call[] }
  /** The job is over, or cannot go on. The verdict is what it would say of itself when asked to reflect. */
  | { kind: 'answer'; text: string; verdict: Exclude<Verdict, 'continue'>; reason: string }
  /** Nothing may be changed now: what would be done instead. */
  | { kind: 'plan'; plan: Plan }

export interface Plan {
  goal: string
  steps: { action: string; reason: string; tools_needed: string[]; estimated_time: string }[]
  risks: string[]
  prerequisites: string[]
}

/** A step looks at the evidence and says what to do, or that there is nothing left to do for it. */
export type Step<Work> = (work: Work) => Action | undefined

/** The first step with something to do decides; the last one always has. */
export function firstOf<Work>(
  work: Work,
  steps: readonly Step<Work>[],
  last: (work: Work) => Action,
): Action {
  for (const step of steps) {
    const action = step(work)
    if (action) return action
  }
  return last(work)
}

/** Calls of one reply that do not depend on each other. */
export const MOST_CALLS = 8

export const calls = (say: string, list: Call[]): Action | undefined =>
  list.length > 0 ? { kind: 'calls', say, calls: list } : undefined

export const done = (text: string, reason: string): Action => ({
  kind: 'answer',
  text,
  verdict: 'complete',
  reason,
})

export const stuck = (text: string, verdict: 'needs_person' | 'failed', reason = text): Action => ({
  kind: 'answer',
  text,
  verdict,
  reason,
})
