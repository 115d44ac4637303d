import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Keyed, getKey, noKeys, setKey, values } from './keyed.ts'
import { emptySequence, getAt, iterate, locate, push, sequenceOf, setAt } from './sequence.ts'

test('a sequence is the list it was made from, at any length, and older versions stay', () => {
  let list = emptySequence<number>()
  for (let index = 0; index < 40_000; index++) list = push(list, index)
  const changed = setAt(list, 33_333, -1)
  expect([
    getAt(list, 0),
    getAt(list, 31),
    getAt(list, 32),
    getAt(list, 33_333),
    getAt(list, 39_999),
  ]).toEqual([0, 31, 32, 33_333, 39_999])
  expect([getAt(changed, 33_333), getAt(changed, 33_334)]).toEqual([-1, 33_334])
  expect(getAt(list, 40_000)).toBeUndefined()
  expect([...iterate(list, 1_022, 1_026)]).toEqual([1_022, 1_023, 1_024, 1_025])
})

test('a place is found by the weights before it', () => {
  const thing = fc.record({ weight: fc.integer({ min: 0, max: 4 }) })
  fc.assert(
    fc.property(fc.array(thing, { maxLength: 200 }), fc.nat(), fc.nat(4), (things, at, weight) => {
      let list = sequenceOf(things, (item) => item.weight)
      const all = things.slice()
      if (all.length > 0) {
        all[at % all.length] = { weight }
        list = setAt(list, at % all.length, { weight })
      }
      const flat = all.flatMap((item, index) =>
        Array.from({ length: item.weight }, (_, offset) => ({ item, index, offset })),
      )
      expect(list.weight).toBe(flat.length)
      for (const [place, expected] of flat.entries()) expect(locate(list, place)).toEqual(expected)
      expect(locate(list, flat.length)).toBeUndefined()
    }),
  )
})

test('a keyed map holds the last value of every key, and older versions stay', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat()), { maxLength: 300 }), (entries) => {
      const expected = new Map(entries)
      const map = entries.reduce((so, [key, value]) => setKey(so, key, value), noKeys as Keyed<number>)
      expect([...values(map)].sort()).toEqual([...expected.values()].sort())
      for (const [key, value] of expected) expect(getKey(map, key)).toBe(value)
    }),
  )
  const one = setKey<number>(noKeys, 'a', 1)
  const two = setKey(one, 'a', 2)
  expect([getKey(one, 'a'), getKey(two, 'a'), one.size, two.size, getKey(two, 'b')]).toEqual([
    1,
    2,
    1,
    1,
    undefined,
  ])
})
