import { describe, expect, test } from 'vitest'
import type { Observation } from '../../schema/observation.ts'
import { append } from '../list.ts'
import { type TurnState, initialTurn } from './state.ts'
import { describeStep, detailSteps, plural, reportProgress } from './summary.ts'

const step = (more: Partial<Observation> = {}): Observation => ({
  call_id: 'c',
  tool: 'shell',
  input: { command: 'npm test' },
  output: '1 passed\n',
  duration_ms: 1_234,
  success: true,
  ...more,
})
const after = (steps: Observation[], more: Partial<TurnState> = {}): TurnState => ({
  ...initialTurn,
  iteration: 2,
  observations: steps.reduce<TurnState['observations']>(append, null),
  ...more,
})

describe('a report of progress', () => {
  test('of a turn that did nothing is only the reason', () => {
    expect(reportProgress(initialTurn, 'Interrupted.')).toBe('Interrupted.')
  })

  test('tells what was said, changed and called, and how the last call went', () => {
    const state = after([step(), step({ success: false, duration_ms: 50 })], {
      draft: 'Halfway there.',
      files: [
        { path: 'a.txt', change: 'new' },
        { path: 'b.txt', change: 'modified' },
      ],
    })
    expect(reportProgress(state, 'Stopped by a limit.').split('\n')).toEqual([
      'Stopped by a limit.',
      'Halfway there.',
      'Changed so far: a.txt, b.txt.',
      '2 calls in 2 iterations, 1 of them failed; the last was shell npm test (failed, 0.05 s).',
    ])
  })

  test('never carries the output of tools', () => {
    expect(reportProgress(after([step({ output: 'SECRET' })]), 'Done.')).not.toContain('SECRET')
  })
})

describe('the steps in detail', () => {
  test('are numbered, each with its output indented', () => {
    const text = detailSteps(
      after([step(), step({ tool: 'read_file', input: { path: 'a' }, output: 'x\ny\n' })]),
    )
    expect(text.split('\n')).toEqual([
      'Steps:',
      '1. shell npm test (ok, 1.23 s)',
      '   | 1 passed',
      '2. read_file a (ok, 1.23 s)',
      '   | x',
      '   | y',
    ])
  })

  test('are empty when there were none', () => {
    expect(detailSteps(initialTurn)).toBe('')
  })
})

test('a step without a telling input is named by its tool', () => {
  expect(describeStep(step({ tool: 'delegate', input: { subtasks: [] } }))).toBe('delegate (ok, 1.23 s)')
})

test('one is singular, everything else plural', () => {
  expect([0, 1, 2].map((count) => plural(count, 'call'))).toEqual(['0 calls', '1 call', '2 calls'])
})
