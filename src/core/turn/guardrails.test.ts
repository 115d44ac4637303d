import { describe, expect, test } from 'vitest'
import type { Observation } from '../../schema/observation.ts'
import { checkGuardrails } from './guardrails.ts'

function saw(tool: string, input: Record<string, unknown>, output: string, more: Partial<Observation> = {}) {
  return { call_id: 'c', tool, input, output, duration_ms: 5, success: true, ...more }
}
const read = (path: string, output = 'text') => saw('read_file', { path }, output)
const run = (command: string, output: string, more: Partial<Observation> = {}) =>
  saw('shell', { command }, output, more)
const fails = (tool: string, error: string, input: Record<string, unknown> = {}) =>
  saw(tool, input, error, { success: false, error })
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const kindOf = (steps: Observation[]) => checkGuardrails(steps)?.guardrail

describe('the same call', () => {
  test('three times with the same result trips, and says which', () => {
    expect(checkGuardrails(times(3, () => read('a')))).toEqual({
      guardrail: 'same_call',
      detail: 'read_file was called 3 times with the same input and result',
    })
  })

  test('twice does not', () => {
    expect(kindOf([read('a'), read('a')])).toBeUndefined()
  })

  test('with a changing result does not', () => {
    expect(kindOf(times(6, (index) => read('a', `version ${index}`)))).toBeUndefined()
  })

  test('with another call in between does not', () => {
    expect(kindOf([read('a'), read('b'), read('a'), read('c'), read('a')])).toBeUndefined()
  })

  test('counts only at the end: what came before is forgiven', () => {
    expect(kindOf([read('a'), read('a'), read('a'), read('b')])).toBeUndefined()
  })
})

describe('two calls in turns', () => {
  test('A B A B A B trips', () => {
    expect(kindOf(times(6, (index) => read(index % 2 ? 'b' : 'a')))).toBe('ping_pong')
  })

  test('not when one of them brings something new', () => {
    expect(kindOf(times(6, (index) => (index % 2 ? read('b', `${index}`) : read('a'))))).toBeUndefined()
  })
})

describe('repeated failure', () => {
  test('the same tool failing alike three times trips, whatever its input', () => {
    const steps = times(3, (index) => fails('update_file', 'old_text was not found', { path: `${index}` }))
    expect(checkGuardrails(steps)).toEqual({
      guardrail: 'repeated_failure',
      detail: 'update_file failed 3 times alike: old_text was not found',
    })
  })

  test('five failures of any kind in a row trip', () => {
    expect(kindOf(times(5, (index) => fails(`tool${index}`, `error ${index}`)))).toBe('repeated_failure')
  })

  test('a success in between is progress', () => {
    const steps = times(5, (index) => fails(`tool${index}`, `error ${index}`))
    expect(kindOf([...steps.slice(0, 3), read('a'), ...steps.slice(3)])).toBeUndefined()
  })

  test('a slow command that keeps failing alike is no polling', () => {
    const slow = { success: false, error: 'exit code 1', duration_ms: 5_000 }
    expect(kindOf(times(3, () => run('npm test', 'exit code 1', slow)))).toBe('repeated_failure')
  })
})

describe('no progress', () => {
  const circle = times(8, (index) => read(['a', 'b', 'c'][index % 3] ?? ''))

  test('eight calls with few different results trip', () => {
    expect(checkGuardrails(circle)).toEqual({
      guardrail: 'no_progress',
      detail: 'the last 8 calls brought 3 different results',
    })
  })

  test('not when a file was written meanwhile', () => {
    const wrote = saw('update_file', {}, 'done', { files: [{ path: 'a', change: 'modified' }] })
    expect(kindOf([...circle.slice(0, 4), wrote, ...circle.slice(4, 7)])).toBeUndefined()
  })

  test('not when most results are new', () => {
    expect(kindOf(times(8, (index) => read(`${index % 5}`)))).toBeUndefined()
  })
})

describe('polling is no circle', () => {
  test.each<[string, (index: number) => Observation]>([
    ['a call that itself waits', () => run('./wait-for-server', 'not yet', { duration_ms: 2_000 })],
    ['a command that sleeps', () => run('sleep 1; cat status', 'not yet')],
    [
      'a command that sleeps and fails until the thing is there',
      () => run('sleep 1; test -f done', 'exit code 1', { success: false, error: 'exit code 1' }),
    ],
  ])('%s', (_, poll) => {
    expect(kindOf(times(12, poll))).toBeUndefined()
  })

  test('but it does not excuse the calls around it', () => {
    const waiting = () => run('sleep 1', '(no output)')
    expect(kindOf([read('a'), waiting(), read('a'), waiting(), read('a')])).toBe('same_call')
  })
})
