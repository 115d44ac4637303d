import { describe, expect, test } from 'vitest'
import type { Sources } from './check-scenarios.ts'
import { checkScenarios } from './check-scenarios.ts'

const sources: Sources = {
  scenarios: '# Scenarios\n\n- LOOP-1.1: First.\n- LOOP-1.2: Second.\n- MODE-1.1: Third.\n',
  owed: '# still to do\nMODE-1.1\n',
  config: 'export default { test: { expect: { requireAssertions: true } } }',
  tests: new Map([['test/specs/loop.test.ts', "test('LOOP-1.1 a', () => {}); it('LOOP-1.2 b', () => {})"]]),
}

const check = (changes: Partial<Sources>): string[] => checkScenarios({ ...sources, ...changes })

/** LOOP-1.2 is kept; LOOP-1.1 is whatever the given code makes of it. */
const checkTest = (code: string): string[] =>
  check({ tests: new Map([['src/a.test.ts', `test('LOOP-1.2 b', () => {})\n${code}`]]) })

test('kept or owed, each exactly once, is fine', () => {
  expect(check({})).toEqual([])
  expect(check({ owedBefore: 'LOOP-1.1\nMODE-1.1\n' })).toEqual([])
})

describe('a test counts when it really runs', () => {
  const counted = [
    "test('LOOP-1.1 a', () => {})",
    'test(`LOOP-1.1 a`, async () => {})',
    "describe('x', () => { it('LOOP-1.1 a', function () {}) })",
    "test('LOOP-1.1 a', { timeout: 9 }, () => {})",
    "test('LOOP-1.1 a', body)",
    "test.each([1, 2])('LOOP-1.1 a %s', () => {})",
    "testWith('docker', 'LOOP-1.1 a', () => {})",
    "test('UTF-8 names', () => {}); test('LOOP-1.1 a', () => { if (x) y() })",
  ]
  test.each(counted)('%s', (code) => {
    expect(checkTest(code)).toEqual([])
  })
})

describe('a test that may not run, or not count, is found', () => {
  const weak: [string, string][] = [
    ['skip', "test.skip('LOOP-1.1 a', () => {})"],
    ['todo', "test.todo('LOOP-1.1 a')"],
    ['fails', "it.fails('LOOP-1.1 a', () => {})"],
    ['only', "test.only('LOOP-1.1 a', () => {})"],
    ['skipIf', "test.skipIf(slow)('LOOP-1.1 a', () => {})"],
    ['runIf', "test.runIf(fast)('LOOP-1.1 a', () => {})"],
    ['skip', "test.skip.each([1])('LOOP-1.1 a', () => {})"],
    ['todo', "test('LOOP-1.1 a', { todo: true }, () => {})"],
    ['inside describe with skip', "describe.skip('x', () => { test('LOOP-1.1 a', () => {}) })"],
    ['inside describe with runIf', "describe.runIf(fast)('x', () => { test('LOOP-1.1 a', () => {}) })"],
    ['inside describe with todo', "describe('x', { todo: true }, () => { test('LOOP-1.1 a', () => {}) })"],
    [
      'inside describe with skip',
      "describe.skip('x', () => { describe('y', () => { test('LOOP-1.1 a', () => {}) }) })",
    ],
    ['inside an if', "if (fast) test('LOOP-1.1 a', () => {})"],
    ['inside a condition', "fast && test('LOOP-1.1 a', () => {})"],
    ['skip() in its body', "test('LOOP-1.1 a', (context) => { context.skip() })"],
    ['skip() in its body', "test('LOOP-1.1 a', ({ skip }) => { if (slow) skip('slow') })"],
    ['it has no body', "test('LOOP-1.1 a')"],
  ]
  test.each(weak)('%s: %s', (why, code) => {
    expect(checkTest(code)).toEqual([`src/a.test.ts: "LOOP-1.1 a" may not run or may not count: ${why}`])
  })
})

test('the same without an id is nobody’s business here', () => {
  const code = "test.skip('a', () => {}); test('LOOP-1.1 a', () => {})\ntest('b', ({ skip }) => skip())"
  expect(checkTest(code)).toEqual([])
})

test('a scenario without a test is found, and a commented-out test is none', () => {
  expect(checkTest("// test('LOOP-1.1 a', () => {})")).toEqual(['LOOP-1.1 has no test and is not owed'])
})

test('an unknown id in a title is found', () => {
  const unknown = (title: string): string[] =>
    checkTest(`test('LOOP-1.1 a', () => {}); test('${title}', () => {})`)
  expect(unknown('LOOP-9.9 a')).toEqual(['src/a.test.ts: "LOOP-9.9 a": LOOP-9.9 is not in scenarios.md'])
  expect(unknown('LOOP-1 a')).toHaveLength(1)
  expect(unknown('LOPP-1.1 a')).toHaveLength(1)
})

test('an owed scenario that has a test must leave the list', () => {
  expect(check({ owed: 'MODE-1.1\nLOOP-1.2\n' })).toEqual(['LOOP-1.2 has a test; take it off the owed list'])
})

test('unknown and repeated ids are found in the lists', () => {
  expect(check({ owed: 'MODE-1.1\nMODE-1.1\n' })).toEqual(['MODE-1.1 is twice in the owed list'])
  expect(check({ owed: 'MODE-1.1\nMODE-7.7\n' })).toEqual(['MODE-7.7 is owed but not in scenarios.md'])
  expect(check({ scenarios: `${sources.scenarios}- LOOP-1.1: Again.\n` })).toEqual([
    'LOOP-1.1 is twice in scenarios.md',
  ])
  expect(check({ scenarios: '', owed: '', tests: new Map() })).toEqual(['scenarios.md lists no scenarios'])
})

test('the owed list may not grow', () => {
  expect(check({ owedBefore: '# nothing\n' })).toEqual([
    'MODE-1.1 was added to the owed list, which may only get shorter',
  ])
})

test('tests without assertions must stay forbidden', () => {
  const problem = ['vitest.config.ts must set expect.requireAssertions to true']
  expect(check({ config: 'export default { test: {} }' })).toEqual(problem)
  expect(check({ config: 'export default { test: { expect: { requireAssertions: false } } }' })).toEqual(
    problem,
  )
  expect(check({ config: '// requireAssertions: true\nexport default {}' })).toEqual(problem)
})
