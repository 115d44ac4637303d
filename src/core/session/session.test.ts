import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { TurnSettings } from '../../schema/turn-event.ts'
import { isRejected } from '../aggregate.ts'
import { toArray } from '../list.ts'
import type { SessionInput } from './input.ts'
import { session } from './session.ts'
import type { SessionState } from './state.ts'

const settings: Omit<TurnSettings, 'mode'> = {
  permission: 'ask',
  max_iterations: 15,
  reflect: 'changed',
  tools: [],
}
const create: SessionInput = {
  type: 'create',
  chat_id: 'chat_1',
  folder: '/project',
  title: 'Fix it',
  config: { agent_mode: 'Act' },
}
const say = (text: string, turn_id: `turn_${string}` = 'turn_1'): SessionInput => ({
  type: 'send_message',
  text,
  turn: { turn_id, agent_id: 'a', settings },
})
const ended = (turn_id: `turn_${string}` = 'turn_1'): SessionInput => ({
  type: 'turn_ended',
  turn_id,
  agent_id: 'a',
  outcome: 'complete',
  answer: 'Fixed.',
  grants: [],
  steps: [],
})
const setMode = (agent_mode: 'Plan' | 'Act'): SessionInput => ({ type: 'set_agent_mode', agent_mode })

const fold = (events: SessionEvent[]): SessionState => events.reduce(session.evolve, session.initial)

/** Given inputs: the state, the events of the last one, and why it was rejected, if it was. */
function given(...inputs: SessionInput[]): { state: SessionState; last: SessionEvent[]; rejected?: string } {
  let state = session.initial
  let last: SessionEvent[] = []
  let rejected: string | undefined
  for (const input of inputs) {
    const events = session.decide(state, input)
    rejected = isRejected(events) ? events.rejected : undefined
    last = isRejected(events) ? [] : events
    state = last.reduce(session.evolve, state)
  }
  return { state, last, rejected }
}

/** A record as an older or broken program may have stored it. */
const stored = (event: object) => event as SessionEvent
const created = (config?: unknown) =>
  stored({ type: 'chat.created', chat_id: 'chat_1', title: 't', folder: '/p', config })

describe('creating', () => {
  test('makes an empty chat with nothing to do', () => {
    const { state } = given(create)
    expect(state).toMatchObject({ chat_id: 'chat_1', title: 'Fix it', folder: '/project', open_turn: null })
    expect(session.effects(state)).toEqual([])
  })

  test('a second time is rejected', () => {
    expect(given(create, create).rejected).toBe('chat_1 exists already')
  })

  test.each([say('hello'), ended(), setMode('Plan')])('before it, $type is rejected', (input) => {
    expect(given(input).rejected).toBe('there is no such chat')
  })
})

describe('sending a message', () => {
  test('stores it and opens a turn in the mode of the chat, in one decision', () => {
    const { last, state } = given(create, setMode('Plan'), say('look'))
    expect(last.map(({ type }) => type)).toEqual(['message.added', 'turn.opened'])
    expect(toArray(state.messages)).toEqual([
      { id: 'm1', role: 'user', message_type: 'Text', text: 'look', turn_id: 'turn_1' },
    ])
    expect(session.effects(state)).toMatchObject([
      { key: 'turn_1', type: 'run_turn', turn_id: 'turn_1', prompt: 'look', settings: { mode: 'Plan' } },
    ])
  })

  test('while a turn is open is rejected', () => {
    const { rejected, state } = given(create, say('one'), say('two', 'turn_2'))
    expect(rejected).toContain('still working')
    expect(state.open_turn?.turn_id).toBe('turn_1')
  })

  test('without words is rejected', () => {
    expect(given(create, say(' \n')).rejected).toBe('the message is empty')
  })

  test('works again after the turn ended', () => {
    const { state, rejected } = given(create, say('one'), ended(), say('two', 'turn_2'))
    expect(rejected).toBeUndefined()
    expect(toArray(state.messages).map(({ id, text }) => `${id} ${text}`)).toEqual([
      'm1 one',
      'm2 Fixed.',
      'm3 two',
    ])
    expect(toArray(state.turns)).toEqual(['turn_1'])
  })
})

describe('the end of a turn', () => {
  test('adds the answer and leaves nothing to do', () => {
    const { state } = given(create, say('one'), ended())
    expect(state).toMatchObject({ open_turn: null, last_outcome: 'complete' })
    expect(state.messages?.last).toMatchObject({
      role: 'agent',
      text: 'Fixed.',
      agent_id: 'a',
      turn_id: 'turn_1',
    })
    expect(session.effects(state)).toEqual([])
  })

  test('counts once, and only for the turn that is open', () => {
    expect(given(create, say('one'), ended('turn_9')).rejected).toContain('turn_9 is not under way')
    expect(given(create, say('one'), ended(), ended()).rejected).toContain('turn_1 is not under way')
  })
})

describe('the mode', () => {
  test('changes at once when nothing is under way', () => {
    const { last, state } = given(create, setMode('Plan'))
    expect(last).toEqual([{ type: 'chat_config.changed', config: { agent_mode: 'Plan' } }])
    expect(state.config.agent_mode).toBe('Plan')
  })

  test('that is the mode already changes nothing', () => {
    const { last, rejected } = given(create, setMode('Act'))
    expect({ last, rejected }).toEqual({ last: [], rejected: undefined })
  })

  test('does not change while the agent works', () => {
    const { rejected, state } = given(create, say('go'), setMode('Plan'))
    expect(rejected).toContain('must be confirmed')
    expect(state.config.agent_mode).toBe('Act')
  })
})

describe('old and damaged records', () => {
  test.each([undefined, {}])('a chat stored with the config %j is an Act chat', (config) => {
    const state = fold([created(config)])
    expect(state.config.agent_mode).toBe('Act')
    expect(state.warning).toBeUndefined()
  })

  test.each(['act', 'Destroy', '', null, 7, {}])(
    'the unknown mode %j opens as Plan, with a warning',
    (mode) => {
      const state = fold([created({ agent_mode: mode })])
      expect(state.config.agent_mode).toBe('Plan')
      expect(state.warning).toContain(JSON.stringify(mode))
    },
  )

  test('an unknown mode after a known one is Plan as well', () => {
    const state = fold([created({}), stored({ type: 'chat_config.changed', config: { agent_mode: '?' } })])
    expect(state).toMatchObject({ config: { agent_mode: 'Plan' }, warning: expect.stringContaining('"?"') })
  })

  test('the warning goes when the person chooses a mode', () => {
    const state = fold([
      created({ agent_mode: '?' }),
      { type: 'chat_config.changed', config: { agent_mode: 'Act' } },
    ])
    expect(state.config.agent_mode).toBe('Act')
    expect(state.warning).toBeUndefined()
  })

  test('a message without a type is a Text; one with a type keeps it', () => {
    const message = { id: 'm1', role: 'user', text: 'hi' }
    const state = fold([
      created(),
      stored({ type: 'message.added', message }),
      stored({ type: 'message.added', message: { ...message, id: 'm2', message_type: 'Plan' } }),
    ])
    expect(toArray(state.messages).map(({ message_type }) => message_type)).toEqual(['Text', 'Plan'])
  })
})

describe('a fork', () => {
  const source = given(create, say('one'), ended()).state
  const forked = given({
    ...create,
    chat_id: 'chat_2',
    fork: { chat_id: 'chat_1', turns: toArray(source.turns), messages: toArray(source.messages) },
  } as SessionInput)

  test('begins with the messages and turns of its source, in one decision', () => {
    expect(forked.last.map(({ type }) => type)).toEqual(['chat.created', 'message.added', 'message.added'])
    expect(forked.state).toMatchObject({ chat_id: 'chat_2', open_turn: null })
    expect(toArray(forked.state.messages)).toEqual(toArray(source.messages))
    expect(toArray(forked.state.turns)).toEqual(['turn_1'])
  })

  test('goes on from there, without touching the source', () => {
    const more = session.decide(forked.state, say('three', 'turn_3')) as SessionEvent[]
    const state = more.reduce(session.evolve, forked.state)
    expect(toArray(state.messages).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
    expect(toArray(source.messages)).toHaveLength(2)
  })
})
