import { expect, test } from 'vitest'
import type { RunSettings } from '../../schema/run-event.ts'
import { coordinationDeadline, runDeadline } from './deadlines.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'
import type { RunInput } from './input.ts'
import { type RunState, initialRun } from './state.ts'

const timeouts = { run_ms: 300_000, first_round_ms: null, later_round_ms: null, grace_ms: 120_000 }
const run: RunState = { ...initialRun, started_ms: 1_000, settings: { ...initialRun.settings, timeouts } }
const presenting = (at_ms: number): RunState => ({ ...run, presented: { at_ms, makes_call: true } })

test('a presentation that begins when coordination must end does not outlast the run', () => {
  const ends = coordinationDeadline(run)
  expect(ends).toBe(241_000)
  expect(runDeadline(presenting(ends))).toBe(301_000)
})

test('a person who decided late leaves the presentation its time all the same', () => {
  expect(runDeadline(presenting(900_000))).toBe(960_000)
})

test('a run that slept through both deadlines still presents what there is', () => {
  const agents = ['a', 'b'].map((id) => ({ id, speaks: 'tools' as const }))
  const settings: RunSettings = { ...run.settings, agents, timeouts, override: 'continue' }
  const about = {
    run_id: 'run_1',
    chat_id: 'chat_1',
    folder: '/f',
    prompt: 'go',
    settings,
    at_ms: 1_000,
  } as const
  const snapshot = { id: '', path: null, files: 0, added: 0, removed: 0, changed: [] }
  const who = { agent_id: 'a', turn_id: 'turn_1-1', call_id: 'c' } as const
  const inputs: RunInput[] = [
    { type: 'start', started: { type: 'run.started', ...about } },
    { type: 'submit_answer', ...who, text: 'apples', snapshot, now: 2_000 },
    { type: 'timer', name: 'run', now: 9_000_000 },
  ]
  let state = initialRun
  for (const input of inputs) {
    const events = decide(state, input)
    if (!Array.isArray(events)) throw new Error(events.rejected)
    state = events.reduce(evolve, state)
  }
  expect(state).toMatchObject({ stage: 'presenting', presenter: { agent: 'a' }, late: ['coordination'] })
  expect(runDeadline(state)).toBe(9_060_000)
})
