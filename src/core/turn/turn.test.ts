import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolTraits, TurnEvent, TurnSettings } from '../../schema/turn-event.ts'
import { isRejected } from '../aggregate.ts'
import { toArray } from '../list.ts'
import type { TurnInput } from './input.ts'
import { canEnter, isOver } from './phases.ts'
import type { TurnState } from './state.ts'
import { turn } from './turn.ts'

const tools: ToolTraits[] = [
  { name: 'look', read_only: true },
  { name: 'edit', read_only: false, changes: 'files' },
  { name: 'run', read_only: false, changes: 'anything' },
  { name: 'erase', read_only: false, changes: 'files', destructive: true },
  { name: 'explore', read_only: true, nested: true },
  { name: 'delegate', read_only: false, nested: true },
]
const usage = { input_tokens: 10, output_tokens: 1, cost_usd: 0.01, model_calls: 1 }

function start(settings: Partial<TurnSettings> = {}): TurnInput {
  const full: TurnSettings = {
    mode: 'Act',
    permission: 'ask',
    max_iterations: 15,
    reflect: 'changed',
    tools,
    ...settings,
  }
  const ids = { turn_id: 'turn_t', chat_id: 'chat_c', agent_id: 'a' } as const
  return { type: 'start', started: { type: 'turn.started', ...ids, prompt: 'do it', settings: full } }
}

const replies = (text: string, ...names: string[]): TurnInput => ({
  type: 'model_replied',
  reply: { text, calls: names.map((name) => ({ id: 'same', name, input: {} })), usage },
})

/** Given inputs, the state and the events of the last one. */
function given(...inputs: TurnInput[]): { state: TurnState; last: TurnEvent[]; rejected?: string } {
  let state = turn.initial
  let last: TurnEvent[] = []
  let rejected: string | undefined
  for (const input of inputs) {
    const events = turn.decide(state, input)
    rejected = isRejected(events) ? events.rejected : undefined
    last = isRejected(events) ? [] : events
    state = last.reduce(turn.evolve, state)
  }
  return { state, last, rejected }
}

const openCalls = (state: TurnState) => state.open.map(({ call }) => call)
const finishes = (state: TurnState, output = 'ok', success = true): TurnInput[] =>
  openCalls(state).map(({ id }) => ({ type: 'tool_finished', call_id: id, success, output, duration_ms: 1 }))

describe('dispatching calls', () => {
  test('reads run side by side, a write waits for them, and what follows waits for the write', () => {
    const inputs = [start(), replies('', 'look', 'look', 'edit', 'look')]
    const first = given(...inputs)
    expect(openCalls(first.state).map(({ name }) => name)).toEqual(['look', 'look'])
    expect(first.state.phase).toBe('Planning')

    const [one, two] = finishes(first.state) as [TurnInput, TurnInput]
    expect(openCalls(given(...inputs, one).state).map(({ name }) => name)).toEqual(['look'])
    const writing = given(...inputs, one, two)
    expect(openCalls(writing.state).map(({ name }) => name)).toEqual(['edit'])
    expect(writing.state.phase).toBe('Acting')
    const after = given(...inputs, one, two, ...finishes(writing.state))
    expect(openCalls(after.state).map(({ name }) => name)).toEqual(['look'])
  })

  test('calls with the same id are told apart', () => {
    const { state } = given(start(), replies('', 'look', 'look'))
    expect(new Set(openCalls(state).map(({ id }) => id)).size).toBe(2)
  })

  test('in Plan mode nothing that can change something is dispatched, and Acting is never entered', () => {
    const { state } = given(
      start({ mode: 'Plan', permission: 'auto' }),
      replies('', 'edit', 'run', 'erase', 'delegate'),
    )
    expect(toArray(state.visited)).not.toContain('Acting')
    expect(
      toArray(state.observations).every(({ success, error }) => !success && error?.includes('Plan mode')),
    ).toBe(true)
    expect(toArray(state.observations)).toHaveLength(4)
  })

  test.each([
    ['ask', 'edit', 'open'],
    ['ask', 'run', 'pending'],
    ['ask', 'erase', 'pending'],
    ['auto-edit', 'edit', 'open'],
    ['auto-edit', 'run', 'pending'],
    ['auto-edit', 'erase', 'pending'],
    ['auto', 'run', 'open'],
    ['auto', 'erase', 'open'],
    ['deny', 'edit', 'open'],
    ['deny', 'run', 'refused'],
    ['deny', 'erase', 'refused'],
  ] as const)('with permission %s, %s is %s', (permission, tool, expected) => {
    const { state } = given(start({ permission }), replies('', tool))
    const found = state.open.length > 0 ? 'open' : state.pendings.length > 0 ? 'pending' : 'refused'
    expect(found).toBe(expected)
  })

  test('an approval runs exactly the call that was asked about; a refusal does not run it', () => {
    const asked = given(start(), replies('', 'run'))
    const [pending] = asked.state.pendings
    const answer = (decision: 'once' | 'deny'): TurnInput => ({
      type: 'answer_pending',
      pending_id: pending?.id ?? '',
      answer: { kind: 'tool_approval', decision },
      by: 'me',
    })
    const approved = given(start(), replies('', 'run'), answer('once'))
    expect(pending?.kind === 'tool_approval' && pending.call).toEqual(openCalls(approved.state)[0])
    expect(given(start(), replies('', 'run'), answer('once'), answer('once')).rejected).toContain(
      'answered already',
    )
    const refused = given(start(), replies('', 'run'), answer('deny'))
    expect(refused.state.observations?.last.error).toContain('refused')
  })
})

describe('reflecting', () => {
  test('an answer after no change completes without another model call', () => {
    const { state } = given(
      start(),
      replies('', 'look'),
      ...finishes(given(start(), replies('', 'look')).state),
      replies('done'),
    )
    expect(state.outcome).toBe('complete')
    expect(state.usage.model_calls).toBe(2)
  })

  test('reflection can send a turn back to work only a few times', () => {
    const again = [replies('done'), replies('{"verdict":"continue","reason":"more"}')]
    const { state } = given(start({ reflect: 'always' }), ...again, ...again, replies('done'))
    expect(state.outcome).toBe('complete')
  })

  test('guidance that came while the model was answering is not lost', () => {
    const { state } = given(start(), { type: 'give_guidance', text: 'in src only' }, replies('done'))
    expect(state.phase).toBe('Planning')
    expect(toArray(state.entries).at(-1)).toEqual({ kind: 'guidance', text: 'in src only' })
  })

  test('guidance that came while the model looked at its work is not lost', () => {
    const { state } = given(
      start({ reflect: 'always' }),
      replies('done'),
      { type: 'give_guidance', text: 'the tests, too' },
      replies('{"verdict":"complete","reason":"all done"}'),
    )
    expect([state.phase, state.outcome]).toEqual(['Planning', undefined])
    expect(toArray(state.entries).at(-1)).toEqual({ kind: 'guidance', text: 'the tests, too' })
  })
})

describe('recovering', () => {
  test('an open read is run again, an open write is marked as interrupted', () => {
    const inputs = [start({ permission: 'auto' }), replies('', 'look')]
    expect(turn.effects(given(...inputs, { type: 'recover' }).state).map(({ type }) => type)).toEqual([
      'run_tool',
    ])

    const { last, state } = given(start({ permission: 'auto' }), replies('', 'run'), { type: 'recover' })
    expect(last[0]).toMatchObject({ type: 'tool.finished', cut: 'interrupted', success: false })
    expect(turn.effects(state).map(({ type }) => type)).toEqual(['call_model'])
  })

  test('a sub-task that was running is resumed', () => {
    const call = { id: 'x', name: 'delegate', input: { subtasks: [{ id: 'one', task: 't' }] } }
    const { state } = given(
      start(),
      { type: 'model_replied', reply: { text: '', calls: [call], usage } },
      { type: 'recover' },
    )
    expect(turn.effects(state)).toMatchObject([{ type: 'run_subtask', turn_id: 'turn_t-1' }])
  })
})

test('a budget ends the turn before the next model call', () => {
  const inputs = [start({ max_tokens: 11 }), replies('', 'look')]
  const { state } = given(...inputs, ...finishes(given(...inputs).state))
  expect(state).toMatchObject({ outcome: 'limit', failure: { kind: 'limit' } })
})

test('where it may ask, a turn at its limit asks, and goes on for as many iterations again', () => {
  const inputs = [start({ max_iterations: 1, on_limit: 'ask' }), replies('', 'look')]
  const asked = given(...inputs, ...finishes(given(...inputs).state))
  expect(asked.state.pendings).toMatchObject([{ kind: 'guidance', extends: 15 }])
  const answer = (decision: 'continue' | 'stop'): TurnInput => ({
    type: 'answer_pending',
    pending_id: asked.state.pendings[0]?.id ?? '',
    answer:
      decision === 'continue' ? { kind: 'guidance', decision, text: '' } : { kind: 'guidance', decision },
    by: 'me',
  })
  const more = given(...inputs, ...finishes(given(...inputs).state), answer('continue'))
  expect(more.state).toMatchObject({ phase: 'Planning', iteration: 2, settings: { max_iterations: 16 } })
  const stopped = given(...inputs, ...finishes(given(...inputs).state), answer('stop'))
  expect(stopped.state).toMatchObject({ phase: 'Failed', outcome: 'limit' })
})

const anyInput: fc.Arbitrary<(state: TurnState) => TurnInput> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom(...tools.map(({ name }) => name), 'bogus'), { maxLength: 4 })
      .map((names) => () => replies('text', ...names)),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat(), fc.boolean(), fc.constantFrom('a', 'b'))
      .map(([at, success, output]) => (state: TurnState): TurnInput => {
        const open = openCalls(state)
        return {
          type: 'tool_finished',
          call_id: open[at % Math.max(1, open.length)]?.id ?? 'none',
          success,
          output,
          duration_ms: 1,
        }
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('complete', 'continue', 'needs_person', 'failed')
      .map((verdict) => () => replies(`{"verdict":"${verdict}","reason":"r"}`)),
  },
  { weight: 1, arbitrary: fc.constant((): TurnInput => ({ type: 'recover' })) },
  { weight: 1, arbitrary: fc.constant((): TurnInput => ({ type: 'give_guidance', text: 'g' })) },
  { weight: 1, arbitrary: fc.constant((): TurnInput => ({ type: 'interrupt' })) },
  {
    weight: 1,
    arbitrary: fc.constant((): TurnInput => ({
      type: 'model_failed',
      failure: { kind: 'model', message: 'm' },
    })),
  },
  {
    weight: 3,
    arbitrary: fc.boolean().map((yes) => (state: TurnState): TurnInput => {
      const [pending] = state.pendings
      const answer =
        pending?.kind === 'guidance'
          ? ({ kind: 'guidance', decision: 'continue', text: 'go' } as const)
          : ({ kind: 'tool_approval', decision: yes ? 'once' : 'deny' } as const)
      return { type: 'answer_pending', pending_id: pending?.id ?? 'none', answer, by: 'p' }
    }),
  },
)

test('whatever happens in whatever order: legal transitions, bounded iterations, every call answered, never stuck', () => {
  const settings = fc.record({
    mode: fc.constantFrom('Plan' as const, 'Act' as const),
    permission: fc.constantFrom('ask' as const, 'auto' as const, 'deny' as const),
    reflect: fc.constantFrom('changed' as const, 'always' as const, 'never' as const),
    max_iterations: fc.integer({ min: 1, max: 6 }),
    on_limit: fc.constantFrom('stop' as const, 'ask' as const),
  })
  fc.assert(
    fc.property(settings, fc.array(anyInput, { maxLength: 60 }), (chosen, inputs) => {
      let { state } = given(start(chosen))
      for (const make of inputs) {
        const events = turn.decide(state, make(state))
        if (isRejected(events)) continue
        for (const event of events) {
          if (event.type === 'phase.entered') expect(canEnter(state.phase, event.phase)).toBe(true)
          if (event.type === 'tool.called' && chosen.mode === 'Plan') expect(event.read_only).toBe(true)
          state = turn.evolve(state, event)
        }
        const waits = state.pendings.length > 0 || turn.effects(state).length > 0
        expect(waits).toBe(!isOver(state.phase))
        expect(state.iteration).toBeLessThanOrEqual(state.settings.max_iterations)
        if (chosen.on_limit === 'stop') expect(state.settings.max_iterations).toBe(chosen.max_iterations)
      }
      if (!isOver(state.phase)) return
      const entries = toArray(state.entries)
      const asked = entries.flatMap((entry) =>
        entry.kind === 'reply' ? entry.calls.map(({ id }) => id) : [],
      )
      const answered = entries.flatMap((entry) => (entry.kind === 'result' ? [entry.call_id] : []))
      expect(answered.sort()).toEqual(asked.sort())
      expect(isRejected(turn.decide(state, { type: 'interrupt' }))).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

describe('an agent that runs its own tools', () => {
  const call = { id: 'ext_1', name: 'edit', input: {}, access: [{ kind: 'write', path: 'a' } as const] }
  const asks = (read_only = false): TurnInput => ({ type: 'external_asked', call, read_only })
  const did: TurnInput = {
    type: 'external_finished',
    call,
    read_only: false,
    success: true,
    output: 'ok',
    duration_ms: 3,
  }

  test('is held to the same rules: Plan mode refuses, small edits proceed, the rest asks and waits', () => {
    const decided = (...inputs: TurnInput[]) => given(...inputs).state.decided.map(({ allowed }) => allowed)
    expect(decided(start({ mode: 'Plan', permission: 'auto' }), asks())).toEqual([false])
    expect(decided(start(), asks())).toEqual([true])
    const command = { ...call, access: [] }
    const asked = given(start(), { type: 'external_asked', call: command, read_only: false })
    expect(asked.state.pendings).toMatchObject([{ kind: 'tool_approval', external: true }])
    expect(turn.effects(asked.state)).toMatchObject([{ type: 'call_model' }])
    const answer = { kind: 'tool_approval', decision: 'once' } as const
    const answered: TurnInput = { type: 'answer_pending', pending_id: 'turn_t:1', answer, by: 'me' }
    expect(decided(start(), { type: 'external_asked', call: command, read_only: false }, answered)).toEqual([
      true,
    ])
  })

  test('goes through Acting, Observing and Reflecting once, when it has answered', () => {
    const { state } = given(start({ reflect: 'never' }), asks(), did, did, replies('All done.'))
    expect(toArray(state.visited)).toEqual([
      'Idle',
      'Planning',
      'Acting',
      'Observing',
      'Reflecting',
      'Complete',
    ])
    expect(toArray(state.observations)).toHaveLength(2)
    expect(state.answer).toBe('All done.')
  })

  test('may do nothing while it reflects', () => {
    const reflecting = [start(), asks(), did, replies('All done.')]
    expect(given(...reflecting).state.reflecting).toBe('finished')
    expect(given(...reflecting, asks()).rejected).toBe('no agent is at work')
    expect(given(...reflecting, asks(), replies('{"verdict":"complete"}')).state.outcome).toBe('complete')
  })

  test('is told after a crash that it was interrupted, instead of being sent the same prompt again', () => {
    const { state } = given(start(), asks(), did, { type: 'recover' })
    expect(state.iteration).toBe(2)
    expect(toArray(state.entries).at(-1)).toMatchObject({
      kind: 'guidance',
      text: expect.stringContaining('interrupted'),
    })
  })
})
