import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../schema/session-event.ts'
import { noUsage } from '../../schema/usage.ts'
import { isRejected } from '../aggregate.ts'
import { toArray } from '../list.ts'
import { forkChat } from './fork.ts'
import type { MeasuredChat, SessionInput } from './input.ts'
import { session } from './session.ts'
import type { SessionState } from './state.ts'

const turn = { permission: 'ask', max_iterations: 15, reflect: 'changed', tools: [] } as const
const limits = { enabled: true, threshold_tokens: 1_000, preserve_recent: 2 }
const long: MeasuredChat = { tokens: 1_200, old_tokens: 900, settings: limits }

class Chat {
  state: SessionState = session.initial
  readonly events: SessionEvent[] = []
  rejected?: string

  constructor(exchanges: number) {
    const config = { agent_mode: 'Act' } as const
    this.send({ type: 'create', chat_id: 'chat_1', folder: '/p', title: 't', config })
    for (let n = 1; n <= exchanges; n++) this.say(n).end(n)
  }

  send(input: SessionInput): SessionEvent[] {
    const events = session.decide(this.state, input)
    this.rejected = isRejected(events) ? events.rejected : undefined
    if (isRejected(events)) return []
    this.events.push(...events)
    this.state = events.reduce(session.evolve, this.state)
    return events
  }

  say(n: number, measured?: MeasuredChat): this {
    const settings = { ...turn, tools: [] }
    const started = { turn_id: `turn_${n}`, agent_id: 'a', settings } as const
    this.send({ type: 'send_message', text: `ask ${n}`, turn: started, ...(measured && { measured }) })
    return this
  }

  end(n: number): this {
    const answer = { outcome: 'complete', answer: `answer ${n}`, grants: [], steps: [] } as const
    this.send({ type: 'turn_ended', turn_id: `turn_${n}`, agent_id: 'a', ...answer })
    return this
  }

  summarized(tokens_after: number): SessionEvent[] {
    const through = this.state.compacting?.through ?? ''
    return this.send({ type: 'compacted', through, summary: 'S', runs: [], tokens_after, usage: noUsage })
  }

  get due(): string[] {
    return session.effects(this.state).map(({ type }) => type)
  }
}

describe('a chat over its threshold', () => {
  test('is summarised before the new turn, all but the last exchanges', () => {
    const chat = new Chat(5).say(6, long)
    expect(chat.state.compacting).toEqual({
      agent_id: 'a',
      through: 'turn_3',
      exchanges: 3,
      tokens_before: 1_200,
      threshold_tokens: 1_000,
    })
    expect(chat.due).toEqual(['compact'])
    chat.summarized(300)
    expect(chat.state.compaction).toMatchObject({ summary: 'S', exchanges: 3, tokens_after: 300 })
    expect(chat.due).toEqual(['run_turn'])
  })

  test.each<[string, number, MeasuredChat]>([
    ['it is not over it', 5, { ...long, tokens: 1_000 }],
    ['it is switched off', 5, { ...long, settings: { ...limits, enabled: false } }],
    ['all exchanges are recent', 2, long],
    ['nothing would be gained', 5, { ...long, old_tokens: 0 }],
  ])('is left alone when %s', (_, exchanges, measured) => {
    const chat = new Chat(exchanges).say(exchanges + 1, measured)
    expect(chat.state.compacting).toBeNull()
    expect(chat.due).toEqual(['run_turn'])
  })

  test('is summarised again later, from where the last summary ends', () => {
    const chat = new Chat(5).say(6, long)
    chat.summarized(300)
    chat.end(6).say(7, long)
    expect(chat.state.compacting).toMatchObject({ through: 'turn_4', exchanges: 4 })
  })

  test('a result for another request, or a late one, changes nothing', () => {
    const chat = new Chat(5).say(6, long)
    const late = { summary: 'S', runs: [], tokens_after: 1, usage: noUsage }
    expect(chat.send({ type: 'compacted', through: 'turn_9', ...late })).toEqual([])
    chat.send({ type: 'stop_compaction' })
    expect(chat.send({ type: 'compacted', through: 'turn_3', ...late })).toEqual([])
    expect(chat.state).toMatchObject({ compaction: null, compaction_attempts: { failed: 0, futile: 0 } })
    expect(chat.due).toEqual(['run_turn'])
  })
})

describe('attempts that do not help', () => {
  test('stop after two, with a clear word, and begin again when one will help', () => {
    const chat = new Chat(5)
    const hopeless: MeasuredChat = { tokens: 5_000, old_tokens: 200, settings: limits }
    chat.say(6, hopeless)
    expect(chat.summarized(4_900).map(({ type }) => type)).toEqual(['session.compacted'])
    chat.end(6).say(7, hopeless)
    expect(chat.summarized(4_900).at(-1)).toMatchObject({
      type: 'session.compaction_failed',
      reason: expect.stringContaining('summarised 2 times and still has about 4900 tokens'),
    })
    expect(chat.due).toEqual(['run_turn'])
    chat.end(7).say(8, hopeless)
    expect(chat.state.compacting).toBeNull()
    chat.end(8).say(9, { tokens: 5_000, old_tokens: 4_900, settings: { ...limits, threshold_tokens: 2_500 } })
    expect(chat.state.compacting).not.toBeNull()
    chat.summarized(100)
    expect(chat.state.compaction_attempts).toEqual({ failed: 0, futile: 0 })
  })

  test('a summary that makes it longer is not taken', () => {
    const chat = new Chat(5).say(6, long)
    expect(chat.summarized(1_200)).toEqual([
      { type: 'session.compaction_failed', reason: expect.stringContaining('no shorter'), kind: 'futile' },
    ])
    expect(chat.state.compaction).toBeNull()
  })

  test('a model that fails twice is not asked again by itself, but a person can ask', () => {
    const chat = new Chat(5)
    for (const n of [6, 7]) {
      chat.say(n, long)
      const through = chat.state.compacting?.through ?? ''
      chat.send({ type: 'compaction_failed', through, reason: 'no network' })
      chat.end(n)
    }
    expect(chat.state.compaction_problem).toContain('no network. That was attempt 2')
    chat.say(8, long)
    expect(chat.state.compacting).toBeNull()
    chat.end(8).send({ type: 'compact', agent_id: 'a', preserve_recent: 1, measured: long })
    expect(chat.state.compacting).toMatchObject({ exchanges: 7 })
    chat.summarized(10)
    expect(chat.state.compaction_attempts.failed).toBe(0)
  })
})

describe('a person who asks for it', () => {
  const ask = { type: 'compact', agent_id: 'a', preserve_recent: 2, measured: long } as const

  test('gets it while nothing is under way, and can go on talking meanwhile', () => {
    const chat = new Chat(5)
    chat.send(ask)
    expect(chat.due).toEqual(['compact'])
    chat.say(6)
    expect(chat.rejected).toBeUndefined()
    expect(chat.due).toEqual(['compact'])
    chat.summarized(10)
    expect(chat.due).toEqual(['run_turn'])
  })

  test('is told when there is nothing to do, or not now', () => {
    const chat = new Chat(2)
    chat.send(ask)
    expect(chat.rejected).toContain('2 exchanges that are not summarised yet, and the last 2 stay')
    chat.say(3).send(ask)
    expect(chat.rejected).toContain('still working')
  })
})

describe('what is never lost', () => {
  const plan = {
    goal: 'Rename it',
    steps: [
      { step_number: 1, action: 'Search', reason: '', tools_needed: [] },
      { step_number: 2, action: 'Change', reason: '', tools_needed: [] },
    ],
    risks: [],
    prerequisites: [],
  }

  test('the mode, the plan with its steps, what waits, and the runs', () => {
    const chat = new Chat(4)
    chat.send({ type: 'import_plan', plan_id: 'plan_x', revision: 3, plan })
    chat.send({ type: 'set_agent_mode', agent_mode: 'Plan' })
    chat.say(5, long)
    chat.send({
      type: 'note_pending',
      turn_id: 'turn_5',
      agent_id: 'a',
      pending: { id: 'p1', kind: 'guidance', question: 'Which way?', context: '' },
    })
    const run = { run_id: 'run_1', line: 'did it', log: '.conclave/logs/run_1' } as const
    const through = 'turn_2'
    chat.send({ type: 'compacted', through, summary: 'S', runs: [run], tokens_after: 9, usage: noUsage })
    expect(chat.state.compaction?.kept).toEqual({
      agent_mode: 'Plan',
      plan: {
        plan_id: 'plan_x',
        revision: 3,
        status: 'proposed',
        directory: '.conclave/plans/plan_x',
        plan,
        steps: [
          { step_number: 1, status: 'pending' },
          { step_number: 2, status: 'pending' },
        ],
      },
      pendings: [{ id: 'p1', text: 'Which way?' }],
      runs: [run],
    })
    chat.end(5).say(6, long).summarized(9)
    expect(chat.state.compaction?.kept.runs).toEqual([run])
  })

  test('not a word of the chat itself', () => {
    const chat = new Chat(5).say(6, long)
    chat.summarized(9)
    expect(toArray(chat.state.messages)).toHaveLength(11)
    expect(toArray(chat.state.turns)).toHaveLength(5)
  })
})

describe('a fork of a summarised chat', () => {
  const chat = new Chat(5).say(6, long)
  chat.summarized(9)
  chat.end(6).say(7)
  const fork = (at?: string) => {
    const found = forkChat('chat_1', chat.events, at)
    if (isRejected(found)) return found.rejected
    const { turns, messages, compaction } = found
    return { turns: turns.length, last: messages.at(-1)?.text, summarised: compaction?.exchanges }
  }

  test('goes on from the summary when it begins at the end', () => {
    expect(fork()).toEqual({ turns: 6, last: 'answer 6', summarised: 3 })
    expect(fork('turn_6')).toEqual({ turns: 6, last: 'answer 6', summarised: 3 })
  })

  test('has everything word for word when it begins before, by turn or message', () => {
    expect(fork('turn_5')).toEqual({ turns: 5, last: 'answer 5', summarised: undefined })
    expect(fork('m3')).toEqual({ turns: 2, last: 'answer 2', summarised: undefined })
  })

  test('keeps the summary of its source, and forks of it can begin earlier still', () => {
    const source = forkChat('chat_1', chat.events)
    if (isRejected(source)) throw new Error(source.rejected)
    const { agent_mode, ...copied } = source
    const created = session.decide(session.initial, {
      ...{ type: 'create', chat_id: 'chat_2', folder: '/p', title: 't', config: { agent_mode } },
      fork: copied,
    })
    if (isRejected(created)) throw new Error(created.rejected)
    expect(created.reduce(session.evolve, session.initial).compaction?.exchanges).toBe(3)
    const earlier = forkChat('chat_2', created, 'm4')
    expect(earlier).toMatchObject({ turns: ['turn_1', 'turn_2'] })
    expect('compaction' in earlier).toBe(false)
  })

  test('is refused where there is no such place', () => {
    expect(fork('m99')).toContain('no message or finished turn "m99"')
    expect(fork('m13')).toContain('not finished yet')
    expect(forkChat('chat_9', chat.events)).toEqual({ rejected: 'there is no chat chat_9 to fork' })
  })
})
