import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryStore, openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { create, executePlan, planFor, planOf, proposes } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'
import type { TurnId } from '../../src/schema/ids.ts'

test('PLAN-2.1 only "Execute Plan" switches to Act mode and starts; from then on messages are Act messages', async () => {
  const { model, requests } = recordingModel(
    scriptedModel([
      proposes(planFor('Make a', 'a.txt')),
      { text: 'I cannot start it; press Execute Plan.' },
      { calls: [create('a.txt')] },
      { text: 'Made a.txt.' },
      { calls: [create('b.txt')] },
      { text: 'Made b.txt too.' },
    ]),
  )
  const bench = new Workbench({ model })
  await bench.run('make a', { mode: 'Plan' })
  await bench.run('looks good, go ahead')
  expect(existsSync(join(bench.folder, 'a.txt'))).toBe(false)
  expect((await bench.engine.open(bench.chat)).config.agent_mode).toBe('Plan')

  const turn = await executePlan(bench)
  const { plan_id, approvals } = await planOf(bench)
  expect(turn.settings).toMatchObject({ mode: 'Act', plan: { plan_id, revision: 1 } })
  expect(approvals).toEqual([{ revision: 1, by: 'test', reviews: [] }])
  expect(existsSync(join(bench.folder, 'a.txt'))).toBe(true)

  const next = await bench.run('now b', { permission: 'ask' })
  expect(next.settings.mode).toBe('Act')
  expect(existsSync(join(bench.folder, 'b.txt'))).toBe(true)
  expect(requests[1]?.system).toContain('You are in PLAN mode')
  expect(requests.at(-1)?.system).toContain('You are in ACT mode')
  const stored = await bench.journal.read(bench.chat)
  expect(stored.map(({ event }) => event.type)).toContain('chat_config.changed')
})

test('PLAN-2.2 switching back to Plan while the agent works must be confirmed, stops it, and binds what follows', async () => {
  const bench = new Workbench({
    replies: [
      { calls: [{ name: 'shell', input: { command: 'touch began; sleep 60; touch late' } }] },
      { calls: [create('after.txt')] },
      { text: 'I could not.' },
    ],
  })
  const turn_id = await bench.start('work')
  const began = join(bench.folder, 'began')
  while (!existsSync(began)) await new Promise((resolve) => setTimeout(resolve, 5))

  const chat_id = bench.chat
  const asked = await bench.engine.execute({ type: 'set_agent_mode', chat_id, agent_mode: 'Plan' })
  expect(asked).toEqual({
    accepted: false,
    reason: 'the agent is working; switching the mode stops it and must be confirmed',
  })
  expect((await bench.engine.turn(turn_id)).outcome).toBeUndefined()

  await bench.must({ type: 'set_agent_mode', chat_id, agent_mode: 'Plan', confirm: true })
  expect((await bench.engine.open(chat_id)).config.agent_mode).toBe('Plan')
  expect(await bench.engine.turn(turn_id)).toMatchObject({ outcome: 'cancelled', phase: 'Failed' })
  const next = await bench.run('go on')
  expect(next.settings.mode).toBe('Plan')
  expect(next.observations?.last).toMatchObject({ tool: 'create_file', success: false })
  expect(['late', 'after.txt'].filter((name) => existsSync(join(bench.folder, name)))).toEqual([])
})

test('PLAN-2.3 a chat that is closed and opened again is in the mode it was left in', async () => {
  const store = createMemoryStore()
  const first = new Workbench({
    journal: openMemoryJournal({ store }),
    replies: [proposes(planFor('Make a', 'a.txt'))],
  })
  await first.run('make a', { mode: 'Plan' })
  await first.engine.whenIdle(first.chat)
  await first.engine.close()

  const { folder, chat } = first
  const replies = [{ text: '' }, { calls: [create('a.txt')] }, { text: 'No.' }, { text: 'In Act now.' }]
  const second = new Workbench({ journal: openMemoryJournal({ store }), folder, replies })
  const again = await continueIn(second, chat, 'do it now')
  expect(again.settings.mode).toBe('Plan')
  expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  await second.must({ type: 'set_agent_mode', chat_id: chat, agent_mode: 'Act' })
  await second.engine.close()

  const third = new Workbench({ journal: openMemoryJournal({ store }), folder, replies })
  expect((await third.engine.open(chat)).config.agent_mode).toBe('Act')
  expect((await continueIn(third, chat, 'and now?')).settings.mode).toBe('Act')
})

async function continueIn(bench: Workbench, chat_id: Workbench['chat'], text: string) {
  const settings = { permission: 'auto', max_iterations: 5, reflect: 'never' } as const
  await bench.must({ type: 'send_message', chat_id, text, agent_id: 'a', settings })
  const { turns } = await bench.engine.whenIdle(chat_id)
  if (!turns) throw new Error('no turn')
  return bench.engine.turn(turns.last as TurnId)
}
