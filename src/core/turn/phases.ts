import type { Phase } from '../../schema/turn-event.ts'

/**
 * Where a turn may go from each state. Read-only calls run inside Planning and go straight to Observing; Acting is for
 * calls that can change something. Complete is reached only by reflecting, Failed from anywhere that is not over.
 */
const next: Record<Phase, readonly Phase[]> = {
  Idle: ['Planning', 'Failed'],
  Planning: ['Acting', 'Observing', 'Reflecting', 'Failed'],
  Acting: ['Observing', 'Failed'],
  Observing: ['Reflecting', 'Failed'],
  Reflecting: ['Planning', 'Complete', 'Failed'],
  Complete: [],
  Failed: [],
}

export const phases = Object.keys(next) as Phase[]

export const canEnter = (from: Phase, to: Phase): boolean => next[from].includes(to)

export const isOver = (phase: Phase): boolean => next[phase].length === 0
