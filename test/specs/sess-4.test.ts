import { expect, test } from 'vitest'
import { SessionBench, launches, outputOf, resultOf } from '../support/session-bench.ts'
import { answers } from '../support/team-bench.ts'

const input = { task: 'Compare the teas.', context: 'Only green ones.', agent_mode: 'single' }
const talks = [launches(input), { text: 'Then I will do it myself.' }]
const agents = { a: [answers('Sencha.')], b: [answers('Gyokuro.')] }

test('SESS-4.1 a run that needs approval waits as a card with task, context, agents, mode and an estimate', async () => {
  const bench = new SessionBench({ talks, agents })
  await bench.send('compare teas')
  const { pending } = await bench.pending('run_approval')
  expect(pending.launch).toMatchObject({
    task: 'Compare the teas.',
    context: 'Only green ones.',
    agents: ['a'],
    team_mode: 'single',
    refinement: false,
    planning_mode: false,
    execute_after_planning: false,
  })
  const [least, most] = pending.launch.estimate.tokens
  expect(least).toBeGreaterThan(0)
  expect(most).toBeGreaterThan(least)
  expect(await bench.runs()).toEqual([])
})

test('SESS-4.2 once approved, the run proceeds with what was shown', async () => {
  const bench = new SessionBench({ talks, agents })
  await bench.send('compare teas')
  const { pending } = await bench.pending('run_approval')
  const wrong = { kind: 'run_approval', decision: 'approve', hash: 'of another call' } as const
  await expect(bench.answer(pending, wrong)).rejects.toThrow('not what waits here')
  await bench.answer(pending, { ...wrong, hash: pending.hash })
  await bench.engine.whenIdle(bench.chat)
  const [run] = await bench.runs()
  expect(run?.prompt).toBe('Compare the teas.\n\nContext:\nOnly green ones.')
  expect(run?.agents.map(({ id }) => id)).toEqual(pending.launch.agents)
})

test('SESS-4.2 the person may edit it first: what runs is what they wrote', async () => {
  const bench = new SessionBench({ talks, agents })
  await bench.send('compare teas')
  const { pending } = await bench.pending('run_approval')
  const edit = (edited: { task?: string; agents?: string[] }) =>
    bench.answer(pending, { kind: 'run_approval', decision: 'edit', edited })
  await expect(edit({ agents: ['nobody'] })).rejects.toThrow('there is no agent nobody')
  await edit({ task: 'Name one tea.', agents: ['b'] })
  await bench.engine.whenIdle(bench.chat)
  const [run] = await bench.runs()
  expect(run?.prompt).toBe('Name one tea.\n\nContext:\nOnly green ones.')
  expect(run?.finished?.final_answer).toBe('Gyokuro.')
})

test('SESS-4.3 a cancelled run is told to the agent and never starts', async () => {
  const bench = new SessionBench({ talks, agents })
  const answer = { kind: 'run_approval', decision: 'cancel', reason: 'too expensive' } as const
  const turn = await bench.say('compare teas', { answer })
  expect(outputOf(turn)).toBe(
    'Cancelled: the person did not want this run: too expensive. Nothing was started.',
  )
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'Then I will do it myself.' })
  expect(await bench.runs()).toEqual([])
  expect(bench.requests('a')).toEqual([])
})

test('SESS-4.4 without require_approval the run starts at once, unless a rule asks about it', async () => {
  const bench = new SessionBench({ talks, agents, require_approval: false })
  const turn = await bench.say('compare teas')
  expect(resultOf(turn)).toMatchObject({ status: 'complete', final_answer: 'Sencha.' })
  expect(bench.envelopes.some(({ event }) => event.type === 'pending.opened')).toBe(false)

  const ruled = new SessionBench({ talks, agents, require_approval: false })
  const rules = [{ tool: 'launch_run', action: 'ask' } as const]
  await ruled.send('compare teas', { settings: { rules } })
  expect((await ruled.pending('run_approval')).pending.launch.task).toBe('Compare the teas.')

  const denied = new SessionBench({ talks, agents, require_approval: false })
  const refused = await denied.say('compare teas', {
    settings: { rules: [{ tool: 'launch_run', action: 'deny' }] },
  })
  expect(outputOf(refused)).toContain('a rule of the config denies')
})
