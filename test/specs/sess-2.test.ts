import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import type { Model } from '../../src/ports/model.ts'
import { SessionBench, launches, outputOf, resultOf } from '../support/session-bench.ts'
import { answers, votesFor } from '../support/team-bench.ts'

const plan = JSON.stringify({
  goal: 'greet',
  steps: [{ step_number: 1, action: 'write hello.txt', reason: 'it is missing', tools_needed: [] }],
})
const done = { text: 'The team is done.' }
const approve = { kind: 'run_approval', decision: 'approve' } as const
const createsHello = { calls: [{ name: 'create_file', input: { path: 'hello.txt', content: 'hello\n' } }] }

describe('SESS-2.1 launch_run', () => {
  test('SESS-2.1 has exactly these parameters, of which only task is needed', async () => {
    const bench = new SessionBench({ talks: [{ text: 'Hello.' }], agents: { a: [] } })
    await bench.say('hi')
    const tool = bench.requests('conclave')[0]?.tools.find(({ name }) => name === 'launch_run')
    if (!tool) throw new Error('launch_run is not offered')
    const { properties, required } = tool.parameters as {
      properties: Record<string, { type: string; enum?: string[]; description: string }>
      required: string[]
    }
    expect(required).toEqual(['task'])
    expect(Object.keys(properties)).toEqual([
      'task',
      'context',
      'agent_mode',
      'agents',
      'refinement',
      'planning_mode',
      'execute_after_planning',
      'coordination_overrides',
    ])
    expect(properties['agent_mode']).toMatchObject({
      enum: ['single', 'multi'],
      description: 'default: multi',
    })
    expect(properties['refinement']?.description).toContain('default: true for multi, false for single')
    expect(properties['planning_mode']?.description).toContain('default: false')
    expect(properties['execute_after_planning']?.description).toContain('default: false')
  })

  test('SESS-2.1 fills in the defaults: the whole team, refining; one agent, not refining', async () => {
    const agents = { a: [answers('from a'), votesFor('from a')], b: [answers('from b'), votesFor('from a')] }
    const talks = [launches({ task: 'x' }), launches({ task: 'y', agent_mode: 'single' }), done]
    const bench = new SessionBench({ talks, agents, require_approval: false })
    await bench.say('go')
    const [multi, single] = await bench.runs()
    expect(multi?.settings).toMatchObject({ team_mode: 'multi', refinement: true, turn: { mode: 'Act' } })
    expect(multi?.agents.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(single?.settings).toMatchObject({ team_mode: 'single', refinement: false })
    expect(single?.agents.map(({ id }) => id)).toEqual(['a'])
  })

  test.each([
    [{}, 'task is missing'],
    [{ task: 'x', agents: ['a', 'zed'] }, 'there is no agent zed; the config has a, b'],
    [{ task: 'x', agent_mode: 'duo' }, 'agent_mode must be single or multi'],
    [
      { task: 'x', coordination_overrides: { final_answer_strategy: 'synthesize' } },
      'coordination_overrides cannot hold "final_answer_strategy"; allowed are max_new_answers_per_agent, max_new_answers_global, max_iterations, max_tokens, max_usd, timeout_seconds, skip_voting, disable_injection, defer_voting_until_all_answered',
    ],
    [{ task: 'x', coordination_overrides: { skip_voting: false } }, 'can only be switched on'],
    [{ task: 'x', coordination_overrides: { max_tokens: -1 } }, 'max_tokens must be a whole number above 0'],
  ])('SESS-2.1 refuses %j and says why', async (input, reason) => {
    const bench = new SessionBench({ talks: [launches(input), done], agents: { a: [], b: [] } })
    const turn = await bench.say('go')
    expect(outputOf(turn)).toContain(reason)
    expect(await bench.runs()).toEqual([])
  })

  test('SESS-2.1 a child has a subset of the rights of its parent, and overrides only narrow them', async () => {
    const input = {
      task: 'x',
      agents: ['a'],
      coordination_overrides: { max_tokens: 9_000, max_iterations: 99, max_new_answers_per_agent: 50 },
    }
    const spends = { ...launches(input), usage: { input_tokens: 4_000, output_tokens: 1_000 } }
    const bench = new SessionBench({
      talks: [spends, done],
      agents: { a: [answers('from a')] },
      require_approval: false,
    })
    const rules = [{ tool: 'shell', action: 'deny' } as const]
    const reach = {
      root: bench.folder,
      root_access: 'write' as const,
      context: [{ path: '/nowhere', permission: 'read' as const, protected_paths: [] }],
    }
    await bench.say('go', {
      settings: { permission: 'ask', max_iterations: 7, max_tokens: 13_000, max_usd: 2, rules, reach },
    })
    const [run] = await bench.runs()
    expect(run?.settings).toMatchObject({
      budget: { max_tokens: 8_000, max_usd: 2 },
      coordination: { max_new_answers_per_agent: 3 },
      context_paths: reach.context,
      turn: { permission: 'ask', rules, max_iterations: 7, max_tokens: 8_000 },
    })
    expect(run?.settings.turn.tools.map(({ name }) => name)).not.toContain('launch_run')
    expect(run?.settings.turn.launch).toBeUndefined()
  })

  test('SESS-2.1 nothing is launched on a budget that is spent', async () => {
    const spends = { ...launches({ task: 'x' }), usage: { input_tokens: 40_000, output_tokens: 0 } }
    const bench = new SessionBench({ talks: [spends, done], agents: { a: [] }, require_approval: false })
    const turn = await bench.say('go', { settings: { max_tokens: 30_000 } })
    expect(turn.observations?.last.output).toContain('the budget of this turn is spent')
    expect(await bench.runs()).toEqual([])
  })
})

test('SESS-2.2 a single agent runs alone: no vote, no presentation, one call', async () => {
  const bench = new SessionBench({
    talks: [launches({ task: 'which fruit?', agent_mode: 'single', agents: ['b'] }), done],
    agents: { a: [answers('apple')], b: [answers('banana')] },
    require_approval: false,
  })
  const turn = await bench.say('ask the team')
  const [run] = await bench.runs()
  expect(run?.usage.model_calls).toBe(1)
  expect(run?.agents.map(({ id, vote }) => ({ id, vote }))).toEqual([{ id: 'b', vote: null }])
  expect(bench.requests('a')).toEqual([])
  expect(bench.requests('b')[0]?.tools.map(({ name }) => name)).not.toContain('vote')
  expect(resultOf(turn)).toMatchObject({ status: 'complete', final_answer: 'banana' })
})

test('SESS-2.3 a team with refinement answers, votes and improves on answers', async () => {
  const bench = new SessionBench({
    talks: [launches({ task: 'which fruit?', agent_mode: 'multi', refinement: true }), done],
    agents: {
      a: [answers('apple'), answers('apple and pear'), votesFor('pear'), { text: 'Apple and pear.' }],
      b: [answers('banana'), votesFor('pear'), votesFor('pear')],
    },
    require_approval: false,
  })
  const turn = await bench.say('ask the team')
  const [run] = await bench.runs()
  expect(run?.agents[0]?.answers.map(({ label }) => label)).toEqual(['agent1.1', 'agent1.2'])
  expect(run?.agents.map(({ vote }) => vote?.label)).toContain('agent1.2')
  expect(resultOf(turn)).toMatchObject({
    final_answer: 'Apple and pear.',
    coordination_summary: {
      winner: 'a',
      votes: expect.arrayContaining([expect.objectContaining({ for: 'a' })]),
    },
  })
})

test('SESS-2.4 a team without refinement answers once each, on its own, and the best first answer wins', async () => {
  const bench = new SessionBench({
    talks: [launches({ task: 'which fruit?', refinement: false }), done],
    agents: {
      a: [answers('apple'), votesFor('banana')],
      b: [answers('banana'), votesFor('banana'), { text: 'Banana, with some apple.' }],
    },
    require_approval: false,
  })
  const turn = await bench.say('ask the team')
  const [run] = await bench.runs()
  expect(run?.settings.coordination).toMatchObject({
    max_new_answers_per_agent: 1,
    disable_injection: true,
    defer_voting_until_all_answered: true,
    final_answer_strategy: 'synthesize',
  })
  expect(run?.agents.map(({ answers: given }) => given.length)).toEqual([1, 1])
  expect(JSON.stringify(bench.requests('a')[0])).not.toContain('banana')
  expect(resultOf(turn)).toMatchObject({
    final_answer: 'Banana, with some apple.',
    coordination_summary: { winner: 'b' },
  })
})

describe('SESS-2.5 a planning run', () => {
  test('SESS-2.5 describes and changes nothing, whatever its agents try', async () => {
    const bench = new SessionBench({
      talks: [launches({ task: 'greet', planning_mode: true, agent_mode: 'single' }), done],
      agents: { a: [createsHello, answers(plan)] },
      require_approval: false,
    })
    const turn = await bench.say('plan it')
    const [run] = await bench.runs()
    expect(run?.settings.turn.mode).toBe('Plan')
    expect(bench.requests('a')[0]?.system).toContain('This is a planning run')
    expect(bench.requests('a')[0]?.tools.map(({ name }) => name)).not.toContain('create_file')
    expect(existsSync(join(bench.folder, 'hello.txt'))).toBe(false)
    expect(resultOf(turn)).toMatchObject({ final_answer: plan, files_written: [] })
  })

  test('SESS-2.5 is all that a run can be in Plan mode', async () => {
    const input = { task: 'greet', agent_mode: 'single', planning_mode: true, execute_after_planning: true }
    const bench = new SessionBench({
      talks: [launches({ task: 'greet', agent_mode: 'single' }), launches(input), done],
      agents: { a: [createsHello, answers(plan)] },
      require_approval: false,
    })
    await bench.say('plan it', { mode: 'Plan' })
    const runs = await bench.runs()
    expect(runs.map(({ settings }) => settings.turn.mode)).toEqual(['Plan', 'Plan'])
    expect(existsSync(join(bench.folder, 'hello.txt'))).toBe(false)
  })
})

describe('SESS-2.6 planning, then carrying out', () => {
  const input = { task: 'greet', agent_mode: 'single', planning_mode: true, execute_after_planning: true }
  const planner = scriptedModel([answers(plan)])
  const worker = scriptedModel([createsHello, answers('hello.txt is there')])
  /** Each run begins a conversation of its own: the task tells which one it is. */
  const a: Model = {
    label: 'scripted',
    stream: (request, signal) =>
      (JSON.stringify(request.messages[0]).includes('Carry out this plan') ? worker : planner).stream(
        request,
        signal,
      ),
  }

  test('SESS-2.6 a second run carries out the winning plan, once the person approved a card that says so', async () => {
    const bench = new SessionBench({ talks: [launches(input), done], agents: { a } })
    const id = await bench.send('greet')
    const { pending } = await bench.pending('run_approval')
    expect(pending.launch).toMatchObject({ planning_mode: true, execute_after_planning: true })
    expect(existsSync(join(bench.folder, 'hello.txt'))).toBe(false)
    await bench.answer(pending, { ...approve, hash: pending.hash })
    await bench.until(({ event }) => event.type === 'turn.closed' && event.turn_id === id)
    const [planned, executed] = await bench.runs()
    expect(planned?.settings.turn.mode).toBe('Plan')
    expect(executed?.settings.turn.mode).toBe('Act')
    expect(executed?.prompt).toContain('write hello.txt')
    expect(readFileSync(join(bench.folder, 'hello.txt'), 'utf8')).toBe('hello\n')
    const turn = await bench.engine.turn(id)
    expect(resultOf(turn)).toMatchObject({ run_id: executed?.run_id, final_answer: 'hello.txt is there' })
    expect(turn.usage.model_calls).toBe(2 + 3)
  })

  test('SESS-2.6 does not follow from the flag of a model alone, nor from a plan that failed', async () => {
    const cancelled = new SessionBench({ talks: [launches(input), done], agents: { a } })
    await cancelled.say('greet', { answer: { kind: 'run_approval', decision: 'cancel' } })
    expect(await cancelled.runs()).toEqual([])

    const unplanned = { ...input, planning_mode: false }
    const failing = new SessionBench({
      talks: [launches(input), launches(unplanned), done],
      agents: { a: [{ fails: 'no model' }] },
      require_approval: false,
    })
    const turn = await failing.say('greet')
    expect((await failing.runs()).map(({ settings }) => settings.turn.mode)).toEqual(['Plan', 'Act'])
    expect(resultOf(turn)).toMatchObject({ status: 'failed' })
  })
})

test('SESS-2.7 the run is told its task and context as the first message, and nothing else of the chat', async () => {
  const bench = new SessionBench({
    talks: [
      { text: 'Noted.' },
      launches({ task: 'Compare the teas.', context: 'Only green ones.', agent_mode: 'single' }),
      done,
    ],
    agents: { a: [answers('Sencha.')] },
    require_approval: false,
  })
  await bench.say('my secret is 1234')
  await bench.say('compare teas')
  const [request] = bench.requests('a')
  expect(request?.messages).toEqual([
    { role: 'user', text: 'Compare the teas.\n\nContext:\nOnly green ones.' },
  ])
  expect(JSON.stringify(request)).not.toContain('1234')
})

test('SESS-2.8 the result comes back to the agent, and a long answer as a reference', async () => {
  const long = 'tea '.repeat(5_000)
  const bench = new SessionBench({
    talks: [launches({ task: 'a', agent_mode: 'single' }), done],
    agents: { a: [createsHello, answers(long)] },
    require_approval: false,
  })
  const turn = await bench.say('go')
  const result = resultOf(turn)
  expect(result).toMatchObject({
    status: 'complete',
    workspace_path: bench.folder,
    files_written: ['hello.txt (new)'],
    coordination_summary: { agents: ['a'], winner: 'a', rounds: 1 },
  })
  expect(String(result['final_answer']).length).toBeLessThan(7_000)
  const whole = readFileSync(join(bench.folder, String(result['full_answer'])), 'utf8')
  expect(whole).toContain(long.trim())
  expect(bench.requests('conclave').at(-1)?.messages.at(-1)).toMatchObject({
    role: 'tool',
    name: 'launch_run',
  })
  expect(turn.files).toMatchObject([{ path: 'hello.txt', change: 'new' }])
})
