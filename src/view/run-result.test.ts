import { expect, test } from 'vitest'
import { initialTurn } from '../core/turn/state.ts'
import type { Pending } from '../schema/pending.ts'
import { describePending, runResult } from './run-result.ts'

const finished = { ...initialTurn, agent_id: 'a', outcome: 'complete', answer: 'Done.' } as const

test('a price that is unknown is null, and a known one is a number, also zero', () => {
  const cost = (cost_usd?: number) =>
    runResult(
      { ...finished, usage: { input_tokens: 1, output_tokens: 1, model_calls: 1, cost_usd } },
      '/project',
      { verbose: false },
    ).usage.cost_usd
  expect([cost(), cost(0), cost(0.25)]).toEqual([null, 0, 0.25])
})

test('only a complete turn has a winner', () => {
  const summary = (outcome: 'complete' | 'failed' | 'limit' | 'cancelled') =>
    runResult({ ...finished, outcome }, '/project', { verbose: false }).coordination_summary
  expect(summary('complete')).toMatchObject({ answers: [{ agent: 'a', label: 'agent1.1' }], winner: 'a' })
  for (const outcome of ['failed', 'limit', 'cancelled'] as const) {
    expect(summary(outcome)).toMatchObject({ agents: ['a'], answers: [], winner: null, presenter: null })
  }
})

test('an unfinished turn says what it waits for', () => {
  const waiting: Pending = { id: 'p', kind: 'guidance', question: 'Which?', context: 'there are two' }
  const unfinished = { ...initialTurn, agent_id: 'a' }
  expect(runResult(unfinished, '/project', { verbose: false, waiting })).toMatchObject({
    status: 'pending',
    final_answer: describePending(waiting),
  })
})

test('a failed turn says why', () => {
  const failure = { kind: 'model', message: 'it broke' } as const
  const result = runResult({ ...finished, outcome: 'failed', failure }, '/project', { verbose: false })
  expect(result).toMatchObject({ status: 'failed', error: 'it broke' })
  expect(runResult(finished, '/project', { verbose: false })).not.toHaveProperty('error')
})
