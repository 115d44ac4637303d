import { expect, test } from 'vitest'
import { TeamBench, answers, votesFor } from '../../test/support/team-bench.ts'
import { toArray } from '../core/list.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { RunId } from '../schema/ids.ts'
import { readExchange } from '../client/chat-logs.ts'
import { type ChatView, emptyChatView, foldAll, foldChat } from './chat-view.ts'
import { type AgentStateWord, coordinationTable } from './run-view.ts'
import { type Transcript, itemCount, itemsBetween } from './transcript.ts'

const agents = {
  a: [
    { calls: [{ name: 'create_file', input: { path: 'a.txt', content: 'one\n' } }] },
    answers('apples are red'),
    votesFor('bananas', 'yellow is better'),
  ],
  b: [answers('bananas are yellow'), votesFor('bananas'), { text: 'Bananas, presented.' }],
  c: [answers('cherries are small'), votesFor('bananas')],
}

const stored = ({ envelopes }: TeamBench): Envelope[] => envelopes.filter(({ seq }) => seq !== null)

const kinds = (transcript: Transcript): string[] =>
  itemsBetween(transcript, 0, itemCount(transcript)).map(({ kind }) => kind)

async function decided(settings = {}): Promise<TeamBench> {
  const bench = new TeamBench({ agents, settings })
  await bench.run('which fruit?')
  await bench.until(({ event }) => event.type === 'run.closed')
  return bench
}

test('a run is shown with its answers, votes, winner and presenter', async () => {
  const bench = await decided({ evidence: [{ name: 'tests', command: 'true', timeout_seconds: 10 }] })
  const view = foldAll(emptyChatView, stored(bench))
  expect(view.run).toMatchObject({
    status: 'complete',
    winner: 'b',
    presenter: 'b',
    overridden: false,
    tie: false,
    final_answer: 'Bananas, presented.',
    ended_at: expect.any(String),
  })
  const table = coordinationTable(view.run as NonNullable<ChatView['run']>)
  expect(table.map(({ agent }) => agent)).toEqual(['a', 'b', 'c'])
  expect(table[0]?.diff).toMatchObject({ files: 1, added: 1 })
  expect(table[1]).toMatchObject({ is_winner: true, is_presenter: true })
  expect(table[1]?.evidence).toEqual([{ name: 'tests', status: 'passed' }])
  const timeline = toArray(view.run?.timeline ?? null)
  expect(timeline.filter(({ kind }) => kind === 'answer').length).toBe(
    bench.events('answer.submitted').length,
  )
  expect(timeline.at(-1)).toMatchObject({ kind: 'end', text: 'complete' })
  expect(view).toMatchObject({ under_way: null, pendings: [], unread: 0 })
})

test('the chat tells the run, and every agent has a tab with its own work', async () => {
  const view = foldAll(emptyChatView, stored(await decided()))
  const chat = kinds(view.transcript)
  expect(chat[0]).toBe('user_message')
  for (const kind of ['answer_submitted', 'vote_cast', 'voting_completed', 'presentation', 'run_finished']) {
    expect(chat).toContain(kind)
  }
  expect(chat).not.toContain('tool_call')
  expect(itemsBetween(view.transcript, itemCount(view.transcript) - 1, Infinity)).toMatchObject([
    { kind: 'agent_message', text: 'Bananas, presented.' },
  ])
  expect(view.agents.map(({ agent_id }) => agent_id)).toEqual(['a', 'b', 'c'])
  const [first] = view.agents
  const tab = itemsBetween(first?.transcript as Transcript, 0, Infinity)
  expect(tab[0]).toMatchObject({ kind: 'user_message', text: 'which fruit?' })
  expect(tab.some((item) => item.kind === 'tool_call' && item.name === 'create_file')).toBe(true)
  expect(tab.filter((item) => item.kind !== 'user_message').every((item) => item.agent_id === 'a')).toBe(true)
})

test('what agents do is seen while they do it, and what a run costs is counted once', async () => {
  const bench = await decided()
  const words = new Set<AgentStateWord>()
  let view = emptyChatView
  for (const envelope of stored(bench)) {
    view = foldChat(view, envelope)
    for (const { state } of view.run?.agents ?? []) words.add(state)
  }
  for (const word of ['planning', 'acting', 'answered', 'presenting'] as const) expect(words).toContain(word)
  const calls = stored(bench).filter(({ event }) => event.type === 'model.replied').length
  expect([view.usage.model_calls, view.run?.usage.model_calls]).toEqual([calls, calls])
})

test('after the vote a person may choose another presenter, and the view says that they did', async () => {
  const bench = new TeamBench({
    agents: { ...agents, a: [...agents.a, { text: 'Apples.' }] },
    settings: { override: 'ask' },
  })
  const run_id = await bench.start('which fruit?')
  await bench.until(({ event }) => event.type === 'pending.opened')
  const asked = foldAll(emptyChatView, stored(bench))
  expect(asked.pendings).toMatchObject([
    { stream: run_id, agent_id: null, pending: { kind: 'override', winner: 'b' } },
  ])
  expect(asked.pendings[0]?.card.choices.map(({ value }) => value)).toEqual(['continue', 'a', 'b', 'c'])
  const pending_id = asked.pendings[0]?.pending.id ?? ''
  const answer = { kind: 'override', decision: 'present', agent: 'a' } as const
  await bench.must({ type: 'answer_pending', turn_id: run_id, pending_id, answer, by: 'person' })
  await bench.engine.whenIdle(bench.chat)
  await bench.until(({ event }) => event.type === 'run.closed')
  const view = foldAll(asked, stored(bench))
  expect(view.run).toMatchObject({ winner: 'b', presenter: 'a', overridden: true })
  expect(view.pendings).toEqual([])
  const override = itemsBetween(view.transcript, 0, Infinity).find(({ kind }) => kind === 'override')
  expect(override).toMatchObject({ state: 'overridden', chosen: 'a', by: 'person' })
})

test('a run that is read from its logs later is the same as one that was watched', async () => {
  const bench = await decided()
  const watched = foldAll(emptyChatView, stored(bench))
  const logs = {
    read: async (stream: string) => stored(bench).filter((envelope) => envelope.stream === stream) as never,
  }
  const run = watched.run?.run_id as RunId
  const chat = stored(bench).filter(({ stream }) => stream.startsWith('chat_'))
  const later = foldAll(emptyChatView, [...chat, ...(await readExchange(logs, run))])
  expect(later.run).toEqual(watched.run)
  expect(later.usage).toEqual(watched.usage)
  expect(kinds(later.transcript)).toEqual(kinds(watched.transcript))
})
