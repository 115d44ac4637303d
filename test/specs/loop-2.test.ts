import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { Workbench } from '../support/workbench.ts'

const write = { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'x' } }] }

test('LOOP-2.1 a turn goes Idle, Planning, Acting, Observing, Reflecting, back to Planning, and ends Complete or Failed', async () => {
  const done = new Workbench({ replies: [write, { text: 'written' }] })
  const complete = await done.run('write a file')
  expect(toArray(complete.visited)).toEqual([
    ...['Idle', 'Planning', 'Acting', 'Observing', 'Reflecting'],
    ...['Planning', 'Reflecting', 'Complete'],
  ])

  const broken = new Workbench({ replies: [write, { fails: 'the provider is gone' }] })
  const failed = await broken.run('write a file')
  expect(toArray(failed.visited)).toEqual([
    ...['Idle', 'Planning', 'Acting', 'Observing', 'Reflecting'],
    ...['Planning', 'Failed'],
  ])
  expect(failed.failure?.message).toBe('the provider is gone')
  expect(failed.files).toEqual([{ path: 'a.txt', change: 'new' }])
})
