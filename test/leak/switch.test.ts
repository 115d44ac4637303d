import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { byTask, calls, says } from '../../src/engine/engine.test-support.ts'
import type { Model, ModelPart } from '../../src/ports/model.ts'
import { watchedTree } from '../support/watched-tree.ts'
import { Workbench } from '../support/workbench.ts'
import { allowAll, changes, makeProject } from './support.ts'

const write: [string, object] = ['create_file', { path: 'new.txt', content: 'x' }]
const toPlan = (bench: Workbench) =>
  bench.engine.execute({ type: 'set_agent_mode', chat_id: bench.chat, agent_mode: 'Plan', confirm: true })
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a reply with calls that comes while the person confirms the switch is not carried out', async () => {
  for (let lag = 0; lag < 10; lag++) {
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    // Deaf to the signal, as a provider may be.
    const model: Model = {
      label: 'late',
      async *stream(): AsyncGenerator<ModelPart> {
        asked.resolve()
        await release.promise
        yield* calls(write, ['delete_file', { path: 'a.txt' }], ['shell', { command: 'touch other.txt' }])
      },
    }
    const folder = makeProject()
    const bench = new Workbench({ folder, model })
    const turn_id = await bench.start('work', { ...allowAll, mode: 'Act' })
    await asked.promise
    const switching = toPlan(bench)
    for (let turn = 0; turn < lag; turn++) await Promise.resolve()
    release.resolve()
    expect(await switching).toEqual({ accepted: true })
    const before = watchedTree(folder)
    expect((await bench.engine.turn(turn_id)).outcome).toBe('cancelled')
    await later(30)
    expect(changes(before, watchedTree(folder))).toEqual([])
    expect(existsSync(join(folder, 'new.txt'))).toBe(false)
  }
})

test('a command that runs when the person switches is ended before the switch holds', async () => {
  const folder = makeProject()
  const command = 'touch began; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; echo x >> late.txt; done'
  const bench = new Workbench({
    folder,
    model: byTask({ work: [calls(['shell', { command }]), says('ok')] }),
  })
  await bench.start('work', { ...allowAll, mode: 'Act' })
  while (!existsSync(join(folder, 'began'))) await later(5)
  expect(await toPlan(bench)).toEqual({ accepted: true })
  const before = watchedTree(folder)
  await later(400)
  expect(changes(before, watchedTree(folder))).toEqual([])
})

test('sub-agents at work are ended too, and wake up with no rights', async () => {
  const folder = makeProject()
  const command = 'touch began-$$; sleep 0.3; touch late-$$'
  const subtasks = ['one', 'two'].map((id) => ({ id, task: 'run it' }))
  const bench = new Workbench({
    folder,
    model: byTask({
      split: [calls(['delegate', { subtasks }])],
      'run it': [calls(['shell', { command }]), calls(write)],
    }),
  })
  await bench.start('split', { ...allowAll, mode: 'Act' })
  const began = () => Object.keys(watchedTree(folder)).filter((path) => path.startsWith('began-'))
  while (began().length < 2) await later(5)
  expect(await toPlan(bench)).toEqual({ accepted: true })
  const before = watchedTree(folder)
  await later(500)
  expect(changes(before, watchedTree(folder))).toEqual([])
})

test('a command left running in the background by an Act turn does not write on in Plan mode', async () => {
  const folder = makeProject()
  const command = 'while :; do date +%N >> ticking.txt; sleep 0.02; done'
  const bench = new Workbench({
    folder,
    model: byTask({ serve: [calls(['shell', { command, background: true }]), says('It runs.')] }),
  })
  const turn = await bench.run('serve', { ...allowAll, mode: 'Act' })
  expect(toArray(turn.observations)).toMatchObject([{ tool: 'shell', success: true }])
  while (!existsSync(join(folder, 'ticking.txt'))) await later(5)
  expect(await toPlan(bench)).toEqual({ accepted: true })
  const before = watchedTree(folder)
  await later(200)
  expect(changes(before, watchedTree(folder))).toEqual([])
})
