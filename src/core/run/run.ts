import type { RunEvent } from '../../schema/run-event.ts'
import type { Aggregate } from '../aggregate.ts'
import { decide } from './decide.ts'
import { type RunEffect, effects } from './effects.ts'
import { evolve } from './evolve.ts'
import type { RunInput } from './input.ts'
import { type RunState, initialRun } from './state.ts'

/** A team at one task: answers, votes, and one that presents. A single agent is a team of one. */
export const run: Aggregate<RunState, RunInput, RunEvent, RunEffect> = {
  initial: initialRun,
  decide,
  evolve,
  effects,
}
