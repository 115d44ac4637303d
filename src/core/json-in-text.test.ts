import { expect, test } from 'vitest'
import { findJsonObject } from './json-in-text.ts'

test.each([
  ['the whole text', '{"a": 1}', { a: 1 }],
  ['inside prose', 'I think {"a": 1} says it.', { a: 1 }],
  ['inside a code fence', 'Here:\n```json\n{\n  "a": 1\n}\n```\n', { a: 1 }],
  ['with braces and quotes in its strings', String.raw`{"a": "} \" { \\"}`, { a: '} " { \\' }],
  ['with an object inside', '{"a": {"b": {}}}', { a: { b: {} } }],
  ['after braces that are no JSON', 'if (x) { return } gives {"a": 1}', { a: 1 }],
  ['the first of two', '{"a": 1} {"a": 2}', { a: 1 }],
])('an object is found: %s', (_, text, expected) => {
  expect(findJsonObject(text)).toEqual(expected)
})

test.each([
  ['no text', ''],
  ['no brace', 'complete'],
  ['a list', '[1, 2]'],
  ['an object that is cut off', '{"a": 1'],
  ['a string that is cut off', '{"a": "}'],
  ['a lone closing brace', '} and nothing'],
  ['braces around words', '{yes} {no}'],
])('nothing is found in %s', (_, text) => {
  expect(findJsonObject(text)).toBeUndefined()
})

test('hostile input costs no more than its length', () => {
  expect(findJsonObject('{'.repeat(1_000_000))).toBeUndefined()
  expect(findJsonObject('{x}'.repeat(300_000))).toBeUndefined()
  expect(findJsonObject('{"'.repeat(500_000))).toBeUndefined()
})
