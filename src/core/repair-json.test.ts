import { expect, test } from 'vitest'
import { repairJson } from './repair-json.ts'

const sure = (value: object) => ({ value, guessed: false })
const guess = (value: object) => ({ value, guessed: true })

test.each([
  { what: 'a missing brace', text: '{"path":"a"', value: { path: 'a' } },
  {
    what: 'several missing brackets',
    text: '{"edits":[{"old":"a","new":"b"}',
    value: { edits: [{ old: 'a', new: 'b' }] },
  },
  { what: 'a missing brace after a word', text: '{"all":true ', value: { all: true } },
  { what: 'a comma before a missing brace', text: '{"path":"a",', value: { path: 'a' } },
  { what: 'trailing commas', text: '{"paths":["a","b",],}', value: { paths: ['a', 'b'] } },
  { what: 'a code fence', text: '```json\n{"path":"a"}\n```', value: { path: 'a' } },
  { what: 'a word before', text: 'Here you are: {"path":"a"}', value: { path: 'a' } },
  { what: 'a tag after', text: '{"path":"a"}</tool_call>', value: { path: 'a' } },
  { what: 'a quotation mark after', text: '{"path":"a"} "', value: { path: 'a' } },
  { what: 'raw line breaks and tabs', text: '{"text":"a\n\tb"}', value: { text: 'a\n\tb' } },
])('repairs $what', ({ text, value }) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(repairJson(text)).toEqual(sure(value))
})

test.each([
  { what: 'a string', text: '{"path":"src/a', value: { path: 'src/a' } },
  { what: 'a string inside a list', text: '{"paths":["a","b', value: { paths: ['a', 'b'] } },
  { what: 'an escape', text: '{"text":"a\\', value: { text: 'a' } },
  { what: 'a number', text: '{"line":12', value: { line: 12 } },
])('closes $what but calls it a guess', ({ text, value }) => {
  expect(repairJson(text)).toEqual(guess(value))
})

test.each([
  { what: 'two objects', text: '{"path":"a"}{"path":"b"}' },
  { what: 'a key without a value', text: '{"path"' },
  { what: 'half a word', text: '{"all":tru' },
  { what: 'brackets that do not match', text: '{"paths":["a"}' },
  { what: 'no object', text: 'path=a' },
  { what: 'nothing', text: '' },
])('does not repair $what', ({ text }) => {
  expect(repairJson(text)).toBeUndefined()
})

test('takes time in proportion to the text', () => {
  const deep = '{"a":'.repeat(20_000)
  expect(repairJson(deep)).toBeUndefined()
  expect(repairJson(`{"a":"${'{'.repeat(1_000_000)}`)?.guessed).toBe(true)
})
