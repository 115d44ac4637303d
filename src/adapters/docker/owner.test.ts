import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isGone, parseOwner, thisProcess } from './owner.ts'

const here = thisProcess()

it('knows itself as alive, also after being written down', () => {
  expect(isGone(here)).toBe(false)
  expect(parseOwner(JSON.stringify(here))).toEqual(here)
})

it('knows a process that has ended, and one that has got the number of another', () => {
  const { pid } = spawnSync('true')
  expect(isGone({ ...here, pid })).toBe(true)
  expect(isGone({ ...here, started: `${here.started}1` })).toBe(process.platform === 'linux')
})

it('takes what it cannot see for alive, except after a restart of this machine', () => {
  const { pid } = spawnSync('true')
  expect(isGone({ ...here, pid, space: 'pid:[1]' })).toBe(false)
  expect(isGone({ ...here, pid, boot: 'another', host: 'elsewhere' })).toBe(false)
  expect(isGone({ ...here, boot: 'another' })).toBe(true)
})

it.each(['', 'null', '{}', '{"pid":"1"}', undefined])('reads nothing from %j', (text) => {
  expect(parseOwner(text)).toBeUndefined()
})
