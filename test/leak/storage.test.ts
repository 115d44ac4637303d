import { expect, test } from 'vitest'
import {
  type MemoryStore,
  createMemoryStore,
  openMemoryJournal,
} from '../../src/adapters/journal/memory-journal.ts'
import { byTask, calls, never, says } from '../../src/engine/engine.test-support.ts'
import type { ChatId, StreamId, TurnId } from '../../src/schema/ids.ts'
import { planFor, proposes } from '../support/plans.ts'
import { watchedTree } from '../support/watched-tree.ts'
import { Workbench } from '../support/workbench.ts'
import { allowAll, changes, makeProject } from './support.ts'

const write: [string, object] = ['create_file', { path: 'new.txt', content: 'x' }]
const settings = { permission: 'auto', max_iterations: 15, reflect: 'never' } as const

async function send(bench: Workbench, chat_id: ChatId, text: string) {
  await bench.must({ type: 'send_message', chat_id, text, agent_id: 'a', settings })
  const { turns } = await bench.engine.whenIdle(chat_id)
  return bench.engine.turn((turns?.last ?? 'turn_') as TurnId)
}

/** Changes stored events as a fault of the disk or another program would. */
function damage(store: MemoryStore, stream: StreamId, change: (body: string) => string): void {
  const events = store.events.get(stream) ?? []
  const changed = events.map(({ at, body }) => ({ at, body: change(body) }))
  expect(changed).not.toEqual(events)
  store.events.set(stream, changed)
}

test('a Plan turn that is killed and resumed is still a Plan turn', async () => {
  const store = createMemoryStore()
  const folder = makeProject()
  const before = watchedTree(folder)
  const look: [string, object] = ['read_file', { path: 'a.txt' }]
  const first = new Workbench({
    folder,
    journal: openMemoryJournal({ store }),
    model: byTask({ go: [calls(look), never] }),
  })
  const turn_id = await first.start('go', { ...allowAll, mode: 'Plan' })
  await first.event('observation.recorded')
  await first.engine.close()

  const second = new Workbench({
    folder,
    journal: openMemoryJournal({ store }),
    model: byTask({
      go: [calls(look), calls(write), calls(['delete_file', { path: 'a.txt' }]), says('I could not')],
    }),
  })
  await second.engine.whenIdle(first.chat)
  const turn = await second.engine.turn(turn_id)
  expect(turn).toMatchObject({ outcome: 'complete', settings: { mode: 'Plan' } })
  expect(turn.observations?.last).toMatchObject({ tool: 'delete_file', success: false })
  expect((await second.engine.open(first.chat)).config.agent_mode).toBe('Plan')
  expect(changes(before, watchedTree(folder))).toEqual([])
})

test('a fork of a Plan chat is a Plan chat, without the approval of the other one', async () => {
  const folder = makeProject()
  const bench = new Workbench({
    folder,
    model: byTask({
      plan: [[{ type: 'text', text: proposes(planFor('Make new', 'new.txt')).text }]],
      'go on': [calls(write), says('I could not')],
    }),
  })
  await bench.run('plan', { ...allowAll, mode: 'Plan' })
  await bench.engine.whenIdle(bench.chat)
  const before = watchedTree(folder)
  const chat_id = bench.engine.newChatId()
  await bench.must({ type: 'create_chat', chat_id, folder, title: 'fork', fork: { chat_id: bench.chat } })
  const turn = await send(bench, chat_id, 'go on')
  expect(turn.settings.mode).toBe('Plan')
  expect((await bench.engine.open(chat_id)).plan).toBeNull()
  expect(changes(before, watchedTree(folder))).toEqual([])
})

test.each(['"act"', '"ACT"', 'null', '0', '{"mode":"Act"}', '["Act"]', '"Act\\u0000"'])(
  'a stored mode that reads %s opens as Plan and says so',
  async (stored) => {
    const store = createMemoryStore()
    const folder = makeProject()
    const before = watchedTree(folder)
    const first = new Workbench({ folder, journal: openMemoryJournal({ store }), replies: [{ text: 'Hi.' }] })
    await first.run('hello', { mode: 'Act' })
    await first.engine.close()
    damage(store, first.chat, (body) => body.replace('"agent_mode":"Act"', `"agent_mode":${stored}`))

    const journal = openMemoryJournal({ store })
    const model = byTask({ write: [calls(write), says('I could not')] })
    const second = new Workbench({ folder, journal, model })
    const { config, warning } = await second.engine.open(first.chat)
    expect(config).toEqual({ agent_mode: 'Plan' })
    expect(warning).toContain('opened in Plan mode')
    expect((await send(second, first.chat, 'write')).settings.mode).toBe('Plan')
    expect(changes(before, watchedTree(folder))).toEqual([])
  },
)

test.each(['chat', 'turn', 'both'])(
  'an Act turn under way whose mode is damaged in the log of the %s',
  async (where) => {
    const store = createMemoryStore()
    const folder = makeProject()
    const before = watchedTree(folder)
    const first = new Workbench({
      folder,
      journal: openMemoryJournal({ store }),
      model: byTask({ go: [calls(['read_file', { path: 'a.txt' }]), never] }),
    })
    const turn_id = await first.start('go', { ...allowAll, mode: 'Act' })
    await first.event('observation.recorded')
    await first.engine.close()
    if (where !== 'turn')
      damage(store, first.chat, (body) => body.replace('"agent_mode":"Act"', '"agent_mode":"Act "'))
    if (where !== 'chat') damage(store, turn_id, (body) => body.replace('"mode":"Act"', '"mode":"Act "'))

    const second = new Workbench({
      folder,
      journal: openMemoryJournal({ store }),
      model: byTask({ go: [says(''), calls(write), says('I could not')] }),
    })
    const { turns } = await second.engine.whenIdle(first.chat)
    expect(turns?.last).toBe(turn_id)
    expect(changes(before, watchedTree(folder))).toEqual([])
  },
)

test('the same turn, undamaged, goes on and writes: the trials above mean something', async () => {
  const store = createMemoryStore()
  const folder = makeProject()
  const before = watchedTree(folder)
  const journal = openMemoryJournal({ store })
  const first = new Workbench({
    folder,
    journal,
    model: byTask({ go: [calls(['read_file', { path: 'a.txt' }]), never] }),
  })
  await first.start('go', { ...allowAll, mode: 'Act' })
  await first.event('observation.recorded')
  await first.engine.close()
  const model = byTask({ go: [says(''), calls(write), says('done')] })
  const second = new Workbench({ folder, journal: openMemoryJournal({ store }), model })
  await second.engine.whenIdle(first.chat)
  expect(changes(before, watchedTree(folder))).toEqual(['.', 'new.txt'])
})
