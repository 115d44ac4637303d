import { expect, test } from 'vitest'
import { type List, append, itemsFrom, lengthOf, toArray } from './list.ts'

const listOf = (...items: string[]): List<string> => items.reduce<List<string>>(append, null)

test('the empty list has no items', () => {
  expect(lengthOf(null)).toBe(0)
  expect(toArray(null)).toEqual([])
  expect(itemsFrom(null, 3)).toEqual([])
})

test('items come back in the order they were appended', () => {
  const list = listOf('a', 'b', 'c')
  expect(lengthOf(list)).toBe(3)
  expect(toArray(list)).toEqual(['a', 'b', 'c'])
})

test.each([
  [0, ['a', 'b', 'c']],
  [1, ['b', 'c']],
  [2, ['c']],
  [3, []],
  [4, []],
])('from %d on', (from, expected) => {
  expect(itemsFrom(listOf('a', 'b', 'c'), from)).toEqual(expected)
})

test('an older list stays as it was, and is a tail of the newer one', () => {
  const older = listOf('a', 'b')
  const newer = append(older, 'c')
  expect(toArray(older)).toEqual(['a', 'b'])
  expect(newer?.before).toBe(older)
})

test('items that are null or undefined are items', () => {
  const list = append(append<null | undefined>(null, null), undefined)
  expect(toArray(list)).toEqual([null, undefined])
})

test('a long list is read without recursion', () => {
  let list: List<number> = null
  for (let index = 0; index < 200_000; index++) list = append(list, index)
  expect(itemsFrom(list, 199_998)).toEqual([199_998, 199_999])
  expect(toArray(list)).toHaveLength(200_000)
})
