import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import type { Model, ModelRequest } from '../../src/ports/model.ts'
import { SessionBench, launches } from '../support/session-bench.ts'
import { TeamBench, answers, votesFor } from '../support/team-bench.ts'

const asks = (question: string) => ({ calls: [{ name: 'ask_others', input: { question } }] })
const talks = [launches({ task: 'which fruit?' }), { text: 'Done.' }]
const isAsked = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages.at(-1)).includes('<question>')

/** Works by the script, and answers what it is asked beside it. */
const asked = (script: Parameters<typeof scriptedModel>[0], reply: string): Model => ({
  label: 'scripted',
  stream: (request, signal) =>
    isAsked(request)
      ? scriptedModel([{ text: reply, usage: { input_tokens: 70, output_tokens: 7 } }]).stream(
          { ...request, messages: [] },
          signal,
        )
      : scriptedModel(script).stream(request, signal),
})

test('peers reply beside their own work, with what they know and without rights to change anything', async () => {
  const bench = new SessionBench({
    talks,
    require_approval: false,
    broadcast: 'agents',
    agents: {
      a: [asks('Is banana ripe?'), answers('banana'), votesFor('banana'), { text: 'Banana.' }],
      b: asked([{ delay_ms: 60, ...answers('pear') }, votesFor('banana')], 'It is ripe.'),
    },
  })
  await bench.say('go')
  const [first] = bench.requests('a')
  expect(first?.system).toContain('ask_others puts a question')
  expect(bench.requests('a')[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    name: 'ask_others',
    output: 'Reply 1: It is ripe.',
    success: true,
  })
  const beside = bench.requests('b').find(isAsked)
  expect(beside?.messages[0]).toEqual({ role: 'user', text: 'which fruit?' })
  expect(JSON.stringify(beside?.messages.at(-1))).toContain('Is banana ripe?')
  const tools = beside?.tools.map(({ name }) => name)
  expect(tools).toContain('read_file')
  for (const name of ['create_file', 'new_answer', 'vote', 'ask_others', 'explore'])
    expect(tools).not.toContain(name)
  const [run] = await bench.runs()
  expect(run?.finished?.status).toBe('complete')
  // The one who asks pays.
  expect(run?.agents[0]?.usage.input_tokens).toBe(70)
})

test('one agent asks three questions in a run and no more', async () => {
  const bench = new SessionBench({
    talks,
    require_approval: false,
    broadcast: 'agents',
    agents: {
      a: [asks('1?'), asks('2?'), asks('3?'), asks('4?'), answers('banana'), votesFor('banana')],
      b: asked([answers('pear'), votesFor('banana')], 'Yes.'),
    },
  })
  await bench.say('go')
  const told = JSON.stringify(bench.requests('a')[4]?.messages.at(-1))
  expect(told).toContain('you have asked 3 questions')
  const questions = bench.envelopes.filter(({ event }) => event.type === 'question.asked')
  expect(questions).toHaveLength(3)
})

test('two questions at once are one too many', async () => {
  const both = { calls: [...asks('1?').calls, ...asks('2?').calls] }
  const slow: Model = {
    label: 'scripted',
    stream: (request, signal) =>
      scriptedModel(
        isAsked(request) ? [{ delay_ms: 50, text: 'Yes.' }] : [answers('pear'), votesFor('banana')],
      ).stream(isAsked(request) ? { ...request, messages: [] } : request, signal),
  }
  const bench = new SessionBench({
    talks,
    require_approval: false,
    broadcast: 'agents',
    agents: { a: [both, answers('banana'), votesFor('banana')], b: slow },
  })
  await bench.say('go')
  const outputs = (bench.requests('a')[1]?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.output] : [],
  )
  expect(outputs.toSorted()).toEqual([
    'Not asked: one question at a time: wait for the replies to the other one.',
    'Reply 1: Yes.',
  ])
})

test('the person is asked in the turn that asks, and the answer is the result of the call', async () => {
  const bench = new SessionBench({
    talks,
    require_approval: false,
    broadcast: 'human',
    agents: {
      a: [asks('Ripe or green?'), answers('banana'), votesFor('banana')],
      b: [answers('pear'), votesFor('banana')],
    },
  })
  await bench.send('go')
  const { pending } = await bench.pending('question')
  expect(pending).toMatchObject({ question: 'Ripe or green?', default: 'decide_yourself' })
  await bench.answer(pending, { kind: 'question', value: '', text: 'Ripe.' })
  await bench.engine.whenIdle(bench.chat)
  expect(bench.requests('a')[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    name: 'ask_others',
    output: 'The person answers: Ripe.',
  })
  const { messages } = await bench.engine.open(bench.chat)
  let noted = ''
  for (let node = messages; node; node = node.before)
    if (node.last.pending_id === pending.id) noted = node.last.text
  expect(noted).toBe('Ripe or green?')
})

test('nobody has it where the config does not say so, nor an agent that works alone', async () => {
  const agents = { a: [answers('a'), votesFor('a')], b: [answers('b'), votesFor('a')] }
  const off = new SessionBench({ talks, require_approval: false, agents })
  await off.say('go')
  expect(JSON.stringify(off.requests('a')[0])).not.toContain('ask_others')
  const alone = new SessionBench({
    talks: [launches({ task: 'x', agent_mode: 'single' }), { text: 'Done.' }],
    require_approval: false,
    broadcast: 'agents',
    agents,
  })
  await alone.say('go')
  expect(JSON.stringify(alone.requests('a')[0])).not.toContain('ask_others')
})

test('a reply may cost what the asker has left, not what it began with', async () => {
  const looks = { calls: [{ name: 'list_directory', input: { path: '.' } }] }
  const spent = { ...looks, usage: { input_tokens: 80_000, output_tokens: 0 } }
  const bench = new TeamBench({
    agents: {
      a: [spent, asks('Is banana ripe?'), answers('banana'), votesFor('banana'), { text: 'Banana.' }],
      b: asked([{ delay_ms: 60, ...answers('pear') }, votesFor('banana')], 'It is ripe.'),
    },
    coordination: { broadcast: 'agents' },
    settings: { budget: { max_tokens: 200_000 } },
  })
  expect((await bench.run('which fruit?')).finished?.status).toBe('complete')
  const [question] = bench.events('question.asked')
  if (!question) throw new Error('nobody was asked')
  expect((await bench.engine.turn(question.turn_id)).settings.max_tokens).toBe(20_000)
})
