import { answerInvariants } from './invariants-answers.ts'
import { endInvariants } from './invariants-end.ts'
import { type Invariant, voteInvariants } from './invariants-votes.ts'
import { worldInvariants } from './invariants-world.ts'
import { read } from './referee.ts'
import type { History } from './world.ts'

export const invariants: Record<string, Invariant> = {
  ...endInvariants,
  ...voteInvariants,
  ...answerInvariants,
  ...worldInvariants,
}

export interface Violation {
  invariant: string
  problem: string
}

/** Everything that is wrong with a history. */
export function check(history: History): Violation[] {
  const reading = read(history)
  if (!reading) return [{ invariant: 'ends', problem: `the run never began (${history.ended})` }]
  return Object.entries(invariants).flatMap(([invariant, holds]) =>
    holds(reading, history).map((problem) => ({ invariant, problem })),
  )
}
