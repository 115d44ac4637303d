import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TurnSettings } from '../../src/schema/turn-event.ts'
import { Workbench } from '../support/workbench.ts'
import { type FixtureAgent, fixtureAgent, processesWith, until } from './support.ts'

const asking: Partial<TurnSettings> = { permission: 'ask' }

const bench = ({ model }: FixtureAgent, files: Record<string, string> = { 'a.txt': 'old\n' }) =>
  new Workbench({ files, model })

async function answer(at: Workbench, decision: 'once' | 'deny'): Promise<void> {
  const { pending } = await at.event('pending.opened')
  const { open_turn } = await at.engine.open(at.chat)
  if (!open_turn) throw new Error('no turn is open')
  await at.must({
    type: 'answer_pending',
    turn_id: open_turn.turn_id,
    pending_id: pending.id,
    answer: { kind: 'tool_approval', decision },
    by: 'test',
  })
}

describe('a turn', () => {
  test('streams text and thoughts, and records what the agent did with its own tools', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    const turn = await at.run('say:First think:hmm read:a.txt say:Then', asking)
    expect(turn).toMatchObject({ outcome: 'complete', answer: 'First\n\nThen' })
    expect(at.turnEvents().filter(({ type }) => type === 'external.finished')).toMatchObject([
      {
        call: { name: 'read', input: { title: 'Read a.txt' }, access: [{ kind: 'read', path: 'a.txt' }] },
        read_only: true,
        success: true,
        output: 'old\n',
      },
    ])
    const live = at.envelopes.flatMap(({ event }) =>
      'text' in event && event.type.endsWith('.delta') ? [event] : [],
    )
    expect(live.map(({ type }) => type)).toEqual(['text.delta', 'reasoning.delta', 'text.delta'])
  })

  test('a permission request becomes a pending, and goes on when it is approved, once', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    await at.start('run:made.txt say:Done', asking)
    const { pending } = await at.event('pending.opened')
    expect(pending).toMatchObject({
      kind: 'tool_approval',
      external: true,
      call: { name: 'execute', input: { title: 'Run it', command: 'touch made.txt' } },
    })
    expect(() => readFileSync(join(at.folder, 'made.txt'))).toThrow('ENOENT')
    await answer(at, 'once')
    await at.engine.whenIdle(at.chat)
    expect(readFileSync(join(at.folder, 'made.txt'), 'utf8')).toMatch('written by')
    expect(agent.log()).toContainEqual({ answer: { outcome: 'selected', optionId: 'yes' } })
    const finished = await at.event('turn.finished')
    expect(finished).toMatchObject({ outcome: 'complete', answer: 'Done' })
    expect(at.turnEvents().flatMap((event) => (event.type === 'phase.entered' ? [event.phase] : []))).toEqual(
      ['Planning', 'Acting', 'Observing', 'Reflecting', 'Complete'],
    )
  })

  test('a refusal is passed on, and what was refused counts as no change', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    await at.start('run:made.txt say:Then_not', asking)
    await answer(at, 'deny')
    await at.engine.whenIdle(at.chat)
    expect(() => readFileSync(join(at.folder, 'made.txt'))).toThrow('ENOENT')
    expect(agent.log()).toContainEqual({ answer: { outcome: 'selected', optionId: 'no' } })
    expect(await at.event('external.finished')).toMatchObject({
      read_only: true,
      success: false,
      output: 'refused',
    })
    expect(await at.event('turn.finished')).toMatchObject({ outcome: 'complete', answer: 'Then_not' })
  })

  test('an edit in the folder needs no question; one outside of it, or of what runs by itself, does', async () => {
    const outside = join(fixtureAgent().home, 'outside.txt')
    const agent = fixtureAgent()
    const at = bench(agent)
    expect((await at.run('edit:a.txt say:ok', asking)).outcome).toBe('complete')
    expect(readFileSync(join(at.folder, 'a.txt'), 'utf8')).toMatch('written by')
    for (const path of [outside, '.git/config']) {
      const other = bench(fixtureAgent())
      await other.start(`edit:${path} say:ok`, asking)
      expect((await other.event('pending.opened')).pending).toMatchObject({ call: { name: 'edit' } })
      await answer(other, 'deny')
      await other.engine.whenIdle(other.chat)
    }
    expect(() => readFileSync(outside)).toThrow('ENOENT')
  })

  test('reading outside the folder is asked about as well', async () => {
    const at = bench(fixtureAgent())
    await at.start('look:/etc/hostname say:ok', asking)
    expect((await at.event('pending.opened')).pending).toMatchObject({
      call: { name: 'read', access: [{ kind: 'read', path: '/etc/hostname' }] },
    })
    await answer(at, 'deny')
    await at.engine.whenIdle(at.chat)
  })

  test('an agent that has changed something is asked for its verdict, in the same session', async () => {
    const agent = fixtureAgent()
    const turn = await bench(agent).run('edit:a.txt say:Done', { reflect: 'changed' })
    expect(turn).toMatchObject({ outcome: 'complete', answer: 'Done' })
    expect(agent.prompts().map((blocks) => blocks.at(-1)?.split(' ')[0])).toEqual(['edit:a.txt', 'Reflect:'])
  })

  test('two turns share one session, and each message is sent once', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    await at.run('say:one')
    await at.run('say:two')
    const log = agent.log()
    expect(log.filter(({ opened }) => opened)).toHaveLength(1)
    expect(new Set(log.flatMap(({ session }) => session ?? [])).size).toBe(1)
    const [first, second] = agent.prompts()
    expect(first).toEqual([expect.stringContaining('<instructions>'), 'say:one'])
    expect(second).toEqual(['say:two'])
  })

  test('the agent is put into a mode in which it asks', async () => {
    expect((await bench(fixtureAgent()).run('mode')).answer).toBe('default')
  })

  test('sees the variables it was given by name, and no other', async () => {
    process.env['ACP_TEST_KEY'] = 'k-123456'
    const given = fixtureAgent([], { env: ['ACP_TEST_KEY'] })
    expect((await bench(given).run('env:ACP_TEST_KEY')).answer).toBe('ACP_TEST_KEY=k-123456')
    expect((await bench(fixtureAgent()).run('env:ACP_TEST_KEY')).answer).toBe('ACP_TEST_KEY=unset')
  })

  test('what it says to have cost is counted, per turn', async () => {
    const at = bench(fixtureAgent())
    expect((await at.run('cost:0.25 say:one')).usage.cost_usd).toBeCloseTo(0.25)
    expect((await at.run('cost:0.75 say:two')).usage.cost_usd).toBeCloseTo(0.5)
    expect((await at.run('say:three')).usage.cost_usd).toBeUndefined()
  })
})

describe('cancelling', () => {
  test('is passed on to an agent that listens, which lives on for the next turn', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    await at.start('hang')
    await until(() => agent.prompts().length === 1)
    await at.must({ type: 'interrupt', chat_id: at.chat })
    await at.engine.whenIdle(at.chat)
    expect(agent.log()).toContainEqual({ cancelled: expect.any(String) })
    expect(await at.event('turn.finished')).toMatchObject({ outcome: 'cancelled' })
    expect((await at.run('say:still_here')).answer).toBe('still_here')
    expect(agent.log().filter(({ opened }) => opened)).toHaveLength(1)
  })

  test('leaves no process of one that does not', async () => {
    const agent = fixtureAgent(['deaf'])
    const at = bench(agent)
    await at.start('hang')
    await until(() => agent.prompts().length === 1)
    expect(processesWith(agent.home)).not.toEqual([])
    await at.must({ type: 'interrupt', chat_id: at.chat })
    await at.engine.whenIdle(at.chat)
    expect(processesWith(agent.home)).toEqual([])
  })

  test('while a person is asked tells the agent so', async () => {
    const agent = fixtureAgent()
    const at = bench(agent)
    await at.start('run:made.txt', asking)
    await at.event('pending.opened')
    await at.must({ type: 'interrupt', chat_id: at.chat })
    await at.engine.whenIdle(at.chat)
    await until(() => agent.log().some((line) => 'answer' in line))
    expect(agent.log()).toContainEqual({ answer: { outcome: 'cancelled' } })
    expect(() => readFileSync(join(at.folder, 'made.txt'))).toThrow('ENOENT')
  })
})
