import { expect, test } from 'vitest'
import type { Envelope } from '../schema/envelope.ts'
import { progressLine } from './progress.ts'

const line = (event: Envelope['event']): string | undefined =>
  progressLine({ v: 1, stream: 'turn_1', seq: 1, at: '2026-01-01T00:00:00.000Z', event })

test('tells a watcher what happens', () => {
  const observation = {
    call_id: 'c',
    tool: 'shell',
    input: { command: 'npm test' },
    output: 'long',
    duration_ms: 1234,
    success: false,
  }
  expect(line({ type: 'observation.recorded', observation })).toBe('  shell npm test (failed, 1.23 s)')
  expect(line({ type: 'phase.entered', phase: 'Planning', iteration: 3 })).toBe('Planning (iteration 3)')
  const retrying = {
    type: 'model.retrying',
    agent_id: 'a',
    attempt: 1,
    delay_ms: 500,
    reason: 'busy',
  } as const
  expect(line(retrying)).toBe('  trying again in 0.5 s: busy')
})

test('leaves out what is not worth a line', () => {
  expect(line({ type: 'text.delta', agent_id: 'a', text: 'x' })).toBeUndefined()
  expect(line({ type: 'phase.entered', phase: 'Complete', iteration: 1 })).toBeUndefined()
  expect(line({ type: 'turn.closed', turn_id: 'turn_1', outcome: 'complete' })).toBeUndefined()
})
