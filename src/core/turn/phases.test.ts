import { expect, test } from 'vitest'
import type { Phase } from '../../schema/turn-event.ts'
import { evolve } from './evolve.ts'
import { canEnter, isOver, phases } from './phases.ts'
import { initialTurn } from './state.ts'

const legal: [Phase, Phase][] = [
  ['Idle', 'Planning'],
  ['Idle', 'Failed'],
  ['Planning', 'Acting'],
  ['Planning', 'Observing'],
  ['Planning', 'Reflecting'],
  ['Planning', 'Failed'],
  ['Acting', 'Observing'],
  ['Acting', 'Failed'],
  ['Observing', 'Reflecting'],
  ['Observing', 'Failed'],
  ['Reflecting', 'Planning'],
  ['Reflecting', 'Complete'],
  ['Reflecting', 'Failed'],
]

test('there are exactly the seven states of the loop', () => {
  expect(phases).toEqual(['Idle', 'Planning', 'Acting', 'Observing', 'Reflecting', 'Complete', 'Failed'])
  expect(phases.filter(isOver)).toEqual(['Complete', 'Failed'])
})

test('of all 49 transitions exactly the listed ones are possible; the log refuses the others', () => {
  for (const from of phases) {
    for (const to of phases) {
      const allowed = legal.some(([a, b]) => a === from && b === to)
      expect(canEnter(from, to), `${from} → ${to}`).toBe(allowed)
      const enter = () =>
        evolve({ ...initialTurn, phase: from }, { type: 'phase.entered', phase: to, iteration: 1 })
      if (allowed) expect(enter().phase).toBe(to)
      else expect(enter).toThrow(`from ${from} to ${to}`)
    }
  }
})
