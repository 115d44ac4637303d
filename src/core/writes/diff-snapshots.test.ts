import { expect, it } from 'vitest'
import { diffSnapshots } from './diff-snapshots.ts'

it('names what is new, modified and deleted, by path', () => {
  const before = new Map([
    ['z', '1'],
    ['kept', '1'],
    ['b', '1'],
  ])
  const after = new Map([
    ['kept', '1'],
    ['b', '2'],
    ['a', '1'],
  ])
  expect(diffSnapshots(before, after)).toEqual([
    { path: 'a', change: 'new' },
    { path: 'b', change: 'modified' },
    { path: 'z', change: 'deleted' },
  ])
})

it('finds nothing between equal snapshots', () => {
  expect(diffSnapshots(new Map([['a', '1']]), new Map([['a', '1']]))).toEqual([])
})
