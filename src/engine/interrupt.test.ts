import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import {
  byTask,
  calls,
  isAlive,
  never,
  readPid,
  says,
  sleeper,
  temporaryJournal,
} from './engine.test-support.ts'

/** Nobody waits for a command of a minute here: what does not end at once fails. */
const SOON = 5_000

const twoParts = [
  { id: 'command', task: 'run something long' },
  { id: 'thought', task: 'think for ever' },
  { id: 'rest', task: 'the rest', depends_on: ['command'] },
]

/** Starts a chat whose first turn hangs, and whose next message is answered. */
async function start(prompt: string) {
  const { journal } = await temporaryJournal()
  const model = byTask({
    'run something long': [calls(['shell', { command: sleeper('pid') }]), says('?')],
    'run something stubborn': [calls(['shell', { command: `trap '' TERM; ${sleeper('pid')}` }]), says('?')],
    'think for ever': [never],
    'have it explored': [calls(['explore', { question: 'think for ever' }]), says('?')],
    'have it done': [calls(['delegate', { subtasks: twoParts }]), says('?')],
    'ask first': [calls(['shell', { command: 'true' }]), says('?')],
    'and now?': [says('Now I answer.')],
  })
  const bench = new Workbench({ model, journal })
  const turn_id = await bench.start(prompt, prompt === 'ask first' ? { permission: 'ask' } : {})
  return { bench, turn_id }
}

async function interrupt(bench: Workbench): Promise<void> {
  await bench.must({ type: 'interrupt', chat_id: bench.chat })
  await bench.engine.whenIdle(bench.chat)
}

/** The chat is idle, every turn ended as cancelled with a result for every call, and the next message is answered. */
async function expectUsable(bench: Workbench, turn_id: `turn_${string}`): Promise<void> {
  expect(await bench.engine.turn(turn_id)).toMatchObject({ outcome: 'cancelled', phase: 'Failed', open: [] })
  const events = bench.turnEvents()
  const ids = (type: 'tool.called' | 'tool.finished') =>
    events.flatMap((event) => (event.type !== type ? [] : [idOf(event)])).sort()
  expect(ids('tool.finished')).toEqual(ids('tool.called'))
  const started = events.filter(({ type }) => type === 'turn.started').length
  const finished = events.flatMap((event) => (event.type === 'turn.finished' ? [event.outcome] : []))
  expect(finished).toEqual(Array.from({ length: started }, () => 'cancelled'))

  const next = await bench.run('and now?')
  expect(next).toMatchObject({ outcome: 'complete', answer: 'Now I answer.' })
}

function idOf(event: TurnEvent): string {
  if (event.type === 'tool.called') return event.call.id
  return event.type === 'tool.finished' ? event.call_id : ''
}

describe('an interrupt ends', () => {
  test.each(['run something long', 'run something stubborn'])(
    'a command: %s',
    async (prompt) => {
      const { bench, turn_id } = await start(prompt)
      const pid = await readPid(join(bench.folder, 'pid'))
      expect(isAlive(pid)).toBe(true)

      await interrupt(bench)

      expect(isAlive(pid)).toBe(false)
      expect(await bench.event('tool.finished')).toMatchObject({ success: false, cut: 'interrupted' })
      await expectUsable(bench, turn_id)
    },
    SOON,
  )

  test(
    'a model that never answers',
    async () => {
      const { bench, turn_id } = await start('think for ever')
      await bench.event('turn.started')
      await interrupt(bench)
      await expectUsable(bench, turn_id)
    },
    SOON,
  )

  test(
    'a sub-agent that explores',
    async () => {
      const { bench, turn_id } = await start('have it explored')
      await bench.until(({ event }) => event.type === 'turn.started' && !!event.parent)
      await interrupt(bench)
      await expectUsable(bench, turn_id)
    },
    SOON,
  )

  test(
    'sub-tasks that run, and starts no further ones',
    async () => {
      const { bench, turn_id } = await start('have it done')
      const pid = await readPid(join(bench.folder, 'pid'))

      await interrupt(bench)

      expect(isAlive(pid)).toBe(false)
      const begun = bench
        .turnEvents()
        .flatMap((event) => (event.type === 'subtask.started' ? [event.subtask_id] : []))
      expect(begun).toEqual(['command', 'thought'])
      await expectUsable(bench, turn_id)
    },
    SOON,
  )

  test(
    'a wait for a person',
    async () => {
      const { bench, turn_id } = await start('ask first')
      await bench.event('pending.opened')
      await interrupt(bench)
      expect((await bench.engine.turn(turn_id)).pendings).toEqual([])
      await bench.run('and now?')
    },
    SOON,
  )
})

test('an interrupt when nothing is under way is refused', async () => {
  const bench = new Workbench({ model: byTask({ hello: [says('Hello.')] }) })
  await bench.run('hello')
  expect(await bench.engine.execute({ type: 'interrupt', chat_id: bench.chat })).toEqual({
    accepted: false,
    reason: 'nothing is under way',
  })
})

test(
  'an interrupt that names a limit ends the turn by that limit',
  async () => {
    const { bench, turn_id } = await start('think for ever')
    await bench.event('turn.started')
    await bench.must({ type: 'interrupt', chat_id: bench.chat, limit: '5 s (--timeout)' })
    await bench.engine.whenIdle(bench.chat)
    expect(await bench.engine.turn(turn_id)).toMatchObject({
      outcome: 'limit',
      failure: { kind: 'limit', message: expect.stringContaining('5 s (--timeout)') },
    })
  },
  SOON,
)

describe('closing the engine ends without a decision, so that it can be resumed,', () => {
  test.each<[string, (bench: Workbench) => Promise<unknown>]>([
    ['run something long', (bench) => readPid(join(bench.folder, 'pid'))],
    ['have it done', (bench) => readPid(join(bench.folder, 'pid'))],
    [
      'have it explored',
      (bench) => bench.until(({ event }) => event.type === 'turn.started' && !!event.parent),
    ],
    ['think for ever', (bench) => bench.event('turn.started')],
    ['ask first', (bench) => bench.event('pending.opened')],
  ])(
    '"%s"',
    async (prompt, hasBegun) => {
      const { bench } = await start(prompt)
      const begun = await hasBegun(bench)
      const idle = bench.engine.whenIdle(bench.chat)

      await Promise.all([bench.engine.close(), expect(idle).rejects.toThrow('shutting down')])

      if (typeof begun === 'number') expect(isAlive(begun)).toBe(false)
      const types = bench.turnEvents().map(({ type }) => type)
      expect(types).toContain('turn.started')
      expect(types.filter((type) => type === 'turn.finished' || type === 'tool.finished')).toEqual([])
    },
    SOON,
  )
})
