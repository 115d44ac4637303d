import type { TurnEvent } from '../../schema/turn-event.ts'
import type { Aggregate } from '../aggregate.ts'
import { decide } from './decide.ts'
import { type TurnEffect, effects } from './effects.ts'
import { evolve } from './evolve.ts'
import type { TurnInput } from './input.ts'
import { type TurnState, initialTurn } from './state.ts'

/** One agent working from a prompt to a stop, through Plan, Act, Observe and Reflect. */
export const turn: Aggregate<TurnState, TurnInput, TurnEvent, TurnEffect> = {
  initial: initialTurn,
  decide,
  evolve,
  effects,
}
