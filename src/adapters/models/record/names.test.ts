import { expect, test } from 'vitest'
import { Names } from './names.ts'

test('brings both sides to one form, also when one name holds the other', () => {
  for (const [then, now] of [
    ['/p', '/p-copy'],
    ['/p-copy', '/p'],
    ['/a/p', '/tmp/a/p'],
  ] as const) {
    const names = new Names()
    names.add(then, now)
    expect(names.neutral([`${then}/x`])).toEqual(names.neutral([`${now}/x`]))
    expect(names.translate({ path: `${then}/x` })).toEqual({ path: `${now}/x` })
  }
})

test('knows the calls of a turn', () => {
  const names = new Names()
  names.addTurn('turn_aaaaaaaaa', 'turn_bbbbbbbbb')
  expect(names.translate('call_aaaaaaaa_3 of turn_aaaaaaaaa')).toBe('call_bbbbbbbb_3 of turn_bbbbbbbbb')
})

test('takes special characters for what they are', () => {
  const names = new Names()
  names.add('/a "b" $1.*', "/c $& $'")
  expect(names.translate('in /a "b" $1.* here')).toBe("in /c $& $' here")
})
