import { expect, test } from 'vitest'
import { drawBallot, extendBallot } from './ballot.ts'
import { type RunState, type TeamAgent, initialRun } from './state.ts'

const snapshot = { id: '', path: null, files: 0, added: 0, removed: 0, changed: [] }

const agent = (number: number, answered: number): TeamAgent => ({
  id: `a${number}`,
  speaks: 'tools',
  number,
  answers: Array.from({ length: answered }, (_, index) => ({
    label: `agent${number}.${index + 1}`,
    text: `${number}.${index + 1}`,
    snapshot,
    at_ms: 0,
    evidence: [],
  })),
  vote: null,
  turn: null,
  reminders: 0,
  out: null,
  history: [],
  usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 },
  worked_ms: 0,
  phases: { states: [], iterations: 0 },
})

const team = (size: number, seed: number): RunState => ({
  ...initialRun,
  agents: Array.from({ length: size }, (_, index) => agent(index + 1, 1)),
  settings: { ...initialRun.settings, seed },
})

test('the same seed draws the same ballot, and another turn another one', () => {
  expect(drawBallot(team(8, 7), 3)).toEqual(drawBallot(team(8, 7), 3))
  const orders = new Set(
    Array.from({ length: 20 }, (_, turn) => JSON.stringify(drawBallot(team(8, 7), turn))),
  )
  expect(orders.size).toBeGreaterThan(15)
})

test('every candidate is on it once, under a name that says nothing', () => {
  const ballot = drawBallot(team(30, 1), 0)
  expect(ballot.map(({ id }) => id).slice(0, 3)).toEqual(['A', 'B', 'C'])
  expect(ballot[26]?.id).toBe('A2')
  expect(new Set(ballot.map(({ label }) => label)).size).toBe(30)
})

test('each place falls to each candidate about equally often', () => {
  const firsts = new Map<string, number>()
  for (let turn = 0; turn < 3000; turn++) {
    const label = drawBallot(team(3, 42), turn)[0]?.label ?? ''
    firsts.set(label, (firsts.get(label) ?? 0) + 1)
  }
  for (const count of firsts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  expect(firsts.size).toBe(3)
})

test('a newer answer takes the place of the older one, and one of somebody new comes last', () => {
  const ballot = [
    { id: 'A', label: 'agent2.1' },
    { id: 'B', label: 'agent1.1' },
  ]
  expect(extendBallot(ballot, ['agent1.2', 'agent12.1'])).toEqual([
    { id: 'A', label: 'agent2.1' },
    { id: 'B', label: 'agent1.2' },
    { id: 'C', label: 'agent12.1' },
  ])
})
