import { expect, expectTypeOf, it } from 'vitest'
import { checkInput } from './input-schema.ts'
import type { InputOf } from './input-schema.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    kind: { type: 'string', enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    deep: { type: 'boolean' },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old: { type: 'string' }, all: { type: 'boolean' } },
        required: ['old'],
        additionalProperties: false,
      },
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const

it('accepts good input, with and without what is optional', () => {
  expect(checkInput(schema, { path: 'x' })).toEqual([])
  const full = { path: '', kind: 'b', count: 5, deep: false, edits: [{ old: 'x' }, { old: 'y', all: true }] }
  expect(checkInput(schema, full)).toEqual([])
})

it.each([
  [null, 'input must be an object'],
  [[], 'input must be an object'],
  ['text', 'input must be an object'],
  [{}, 'path is missing'],
  [{ path: 1 }, 'path must be a string'],
  [{ path: null }, 'path must be a string'],
  [{ path: 'x', kind: 'c' }, 'kind must be one of a, b'],
  [{ path: 'x', count: 1.5 }, 'count must be a whole number'],
  [{ path: 'x', count: '1' }, 'count must be a whole number'],
  [{ path: 'x', count: 0 }, 'count must be from 1 to 5'],
  [{ path: 'x', count: 6 }, 'count must be from 1 to 5'],
  [{ path: 'x', deep: 'true' }, 'deep must be true or false'],
  [{ path: 'x', edits: {} }, 'edits must be a list'],
  [{ path: 'x', edits: [{ old: 'a' }, {}] }, 'edits[1].old is missing'],
  [{ path: 'x', edits: ['a'] }, 'edits[0] must be an object'],
  [{ path: 'x', edits: [{ old: 'a', new: 'b' }] }, 'edits[0].new is unknown; known: old, all'],
  [{ path: 'x', other: 1 }, 'other is unknown; known: path, kind, count, deep, edits'],
])('says what is wrong with %j', (input, problem) => {
  expect(checkInput(schema, input)).toEqual([problem])
})

it('lists every problem', () => {
  expect(checkInput(schema, { kind: 1, count: 'x' })).toEqual([
    'path is missing',
    'kind must be a string',
    'count must be a whole number',
  ])
})

it('is not fooled by names that every object has', () => {
  const inherited = JSON.parse('{"path": "x", "__proto__": {}, "constructor": 1, "toString": 2}') as unknown
  expect(checkInput(schema, inherited)).toHaveLength(3)
  const prototype = Object.create({ path: 'x' }) as unknown
  expect(checkInput(schema, prototype)).toEqual(['path is missing'])
})

it('gives the tool the type of what was checked', () => {
  type Input = InputOf<typeof schema>
  expectTypeOf<Input['path']>().toEqualTypeOf<string>()
  expectTypeOf<Input['count']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<NonNullable<Input['edits']>[number]['old']>().toEqualTypeOf<string>()
  const input: Input = { path: 'x', edits: [{ old: 'y' }] }
  expect(checkInput(schema, input)).toEqual([])
})
