import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelPart } from '../../../ports/model.ts'
import { ReplyReader } from './reply-reader.ts'

/** What comes out for these `tool_calls` pieces, one delta each. */
function callsOf(...deltas: object[][]): ModelPart[] {
  const reader = new ReplyReader()
  for (const tool_calls of deltas) reader.read(JSON.stringify({ choices: [{ delta: { tool_calls } }] }))
  return reader.calls()
}

const piece = (name: string | undefined, text: string, more: object = {}): object => ({
  ...more,
  function: { ...(name && { name }), arguments: text },
})

const call = (id: string, name: string, text: string): ModelPart => ({
  type: 'call',
  id,
  name,
  arguments: text,
})

test('joins the pieces of parallel calls by their index', () => {
  const found = callsOf(
    [piece('read_file', '', { index: 0, id: 'a' })],
    [piece('shell', '', { index: 1, id: 'b' })],
    [piece(undefined, '{"pa', { index: 0 }), piece(undefined, '{"command":', { index: 1 })],
    [piece(undefined, '"ls"}', { index: 1 }), piece(undefined, 'th":"x"}', { index: 0 })],
  )
  expect(found).toEqual([call('a', 'read_file', '{"path":"x"}'), call('b', 'shell', '{"command":"ls"}')])
})

test('joins arguments that come one character at a time', () => {
  const text = '{"path":"src/naïve 🙂.ts"}'
  const pieces = Array.from(text, (character) => [piece(undefined, character, { index: 0 })])
  expect(callsOf([piece('read_file', '', { index: 0, id: 'a' })], ...pieces)).toEqual([
    call('a', 'read_file', text),
  ])
})

test('takes whole calls without an index, in one delta or in several', () => {
  const [a, b] = [piece('x', '{}', { id: 'a' }), piece('y', '{"n":1}', { id: 'b' })]
  const both = [call('a', 'x', '{}'), call('b', 'y', '{"n":1}')]
  expect(callsOf([a, b])).toEqual(both)
  expect(callsOf([a], [b])).toEqual(both)
})

test('goes on with the last call when a piece has neither index nor id', () => {
  const found = callsOf(
    [piece('x', '{"a"', { id: 'a' })],
    [piece(undefined, ':1}')],
    [piece('y', '{', { id: 'b' })],
    [piece(undefined, '}')],
  )
  expect(found).toEqual([call('a', 'x', '{"a":1}'), call('b', 'y', '{}')])
})

test('recognises a call by its id when every piece repeats id and name', () => {
  const found = callsOf(
    [piece('x', '{"a"', { id: 'a' })],
    [piece('x', ':1}', { id: 'a' })],
    [piece('x', '{}', { id: 'b' })],
  )
  expect(found).toEqual([call('a', 'x', '{"a":1}'), call('b', 'x', '{}')])
})

test('keeps calls apart that share one id', () => {
  const shared = { id: 'same' }
  const both = [call('same', 'x', '{}'), call('same', 'y', '{}')]
  expect(callsOf([piece('x', '{}', shared), piece('y', '{}', shared)])).toEqual(both)
  expect(
    callsOf([piece('x', '{}', { ...shared, index: 0 })], [piece('y', '{}', { ...shared, index: 1 })]),
  ).toEqual(both)
})

test('keeps calls apart that share one index, with the pieces that follow', () => {
  const found = callsOf(
    [piece('x', '{"a"', { index: 0, id: 'a' })],
    [piece(undefined, ':1}', { index: 0 })],
    [piece('y', '{"b"', { index: 0, id: 'b' })],
    [piece(undefined, ':2}', { index: 0 })],
  )
  expect(found).toEqual([call('a', 'x', '{"a":1}'), call('b', 'y', '{"b":2}')])
})

test('takes indexes that do not start at zero', () => {
  const found = callsOf([piece('x', '{}', { index: 1, id: 'a' })], [piece('y', '{}', { index: 2, id: 'b' })])
  expect(found).toEqual([call('a', 'x', '{}'), call('b', 'y', '{}')])
})

test('writes arguments that came as an object as text', () => {
  const tool_calls = [{ id: 'a', function: { name: 'x', arguments: { path: 'y' } } }]
  expect(callsOf(tool_calls)).toEqual([call('a', 'x', '{"path":"y"}')])
})

test('reads text, reasoning under both names, and usage', () => {
  const reader = new ReplyReader()
  const read = (chunk: object) => reader.read(JSON.stringify(chunk))
  expect(read({ choices: [{ delta: { reasoning_content: 'hm' } }] })).toEqual([
    { type: 'reasoning', text: 'hm' },
  ])
  expect(read({ choices: [{ delta: { reasoning: 'so', content: null } }] })).toEqual([
    { type: 'reasoning', text: 'so' },
  ])
  expect(read({ choices: [{ delta: { content: [{ type: 'text', text: 'a' }, { text: 'b' }] } }] })).toEqual([
    { type: 'text', text: 'ab' },
  ])
  expect(reader.finished).toBe(false)
  expect(read({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: null })).toEqual([])
  expect(reader.finished).toBe(true)
  expect(read({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } })).toEqual([
    { type: 'usage', input_tokens: 12, output_tokens: 3 },
  ])
})

test('reports an error object, whatever it looks like', () => {
  const failure = (error: unknown) => new ReplyReader().read(JSON.stringify({ error }))
  const reported = (message: string) => [{ type: 'failed', failure: expect.objectContaining({ message }) }]
  expect(failure({ message: 'overloaded' })).toEqual(reported('the provider reported: overloaded'))
  expect(failure('busy')).toEqual(reported('the provider reported: busy'))
  expect(failure({ code: 7 })).toEqual(reported('the provider reported: {"code":7}'))
})

test('takes any JSON without throwing, and gives out only parts of the right shape', () => {
  const junk = fc.constantFrom(null, true, 0, -1, 1.5, 'text', '', [], [null], {}, [{ text: 'a' }, 7])
  const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 1, arbitrary: junk },
      { weight: 4, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    )
  const list = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 1, arbitrary: junk }, { weight: 4, arbitrary: fc.array(item, { maxLength: 3 }) })
  const tool = some({ index: junk, id: junk, function: some({ name: junk, arguments: junk }) })
  const message = some({ content: junk, reasoning: junk, reasoning_content: junk, tool_calls: list(tool) })
  const choice = some({ delta: message, message, finish_reason: junk })
  const usage = some({ prompt_tokens: junk, completion_tokens: junk })
  const chunk = some({ choices: list(choice), usage, error: fc.option(junk, { freq: 5 }) })
  const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 4 }), (chunks) => {
      const reader = new ReplyReader()
      const parts = [...chunks.flatMap((each) => reader.read(JSON.stringify(each))), ...reader.calls()]
      return parts.every((part) =>
        part.type === 'failed' ? isPlain(part.failure.message) : Object.values(part).every(isPlain),
      )
    }),
    { numRuns: 1000 },
  )
  expect(new ReplyReader().read('null')).toEqual([])
})
