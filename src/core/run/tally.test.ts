import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RunState, type TeamAgent, initialRun } from './state.ts'
import { decideWinner, isDecided, tally } from './tally.ts'

const snapshot = { id: '', path: null, files: 0, added: 0, removed: 0, changed: [] }

function team(votes: (number | null)[], answered = votes.map(() => true)): RunState {
  const agents = votes.map((vote, index): TeamAgent => {
    const label = `agent${index + 1}.1`
    const answer = { label, text: label, snapshot, at_ms: 0, evidence: [] }
    return {
      id: `a${index}`,
      speaks: 'tools',
      number: index + 1,
      answers: answered[index] ? [answer] : [],
      vote: vote === null ? null : { for: `a${vote}`, label: `agent${vote + 1}.1`, reason: '' },
      turn: null,
      reminders: 0,
      out: null,
      history: [],
      usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 },
      worked_ms: 0,
      phases: { states: [], iterations: 0 },
    }
  })
  return { ...initialRun, agents }
}

test('most votes win, ties go to the agent listed first, and with no votes so does the run', () => {
  expect(decideWinner(team([1, 1, 0]), 'voted')).toMatchObject({ winner: 'a1', margin: 1, tie: false })
  expect(decideWinner(team([2, 1, null]), 'voted')).toMatchObject({ winner: 'a1', margin: 0, tie: true })
  expect(decideWinner(team([null, null]), 'voted')).toMatchObject({
    winner: 'a0',
    reason: 'no_votes',
    tie: false,
  })
  expect(decideWinner(team([null, null], [false, true]), 'voted')).toMatchObject({ winner: 'a1' })
  expect(decideWinner(team([null], [false]), 'voted')).toBeUndefined()
})

test('two votes of three are enough, one is not unless the order settles what can still come', () => {
  expect(isDecided(team([1, 1, null]))).toBe(true)
  expect(isDecided(team([1, null, null]))).toBe(false)
  expect(isDecided(team([0, null]))).toBe(true)
  expect(isDecided(team([1, null]))).toBe(false)
})

test('what counts as decided never turns out otherwise', () => {
  const size = fc.integer({ min: 1, max: 5 })
  const cast = size.chain((count) =>
    fc.array(fc.option(fc.integer({ min: 0, max: count - 1 })), { minLength: count, maxLength: count }),
  )
  fc.assert(
    fc.property(cast, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (votes, chance) => {
      const early = team(votes)
      if (!isDecided(early)) return
      const winner = decideWinner(early, 'decided')?.winner
      const full = votes.map((vote, index) => vote ?? (chance[index] ?? 0) % votes.length)
      expect(decideWinner(team(full), 'voted')?.winner).toBe(winner)
    }),
    { numRuns: 2000 },
  )
})

test('what is not decided can still go another way', () => {
  for (const votes of [
    [null, null],
    [1, null, null],
    [0, 1, null],
    [2, 1, null, null],
  ] as (number | null)[][]) {
    expect(isDecided(team(votes))).toBe(false)
    const winners = new Set(
      votes.map((_, choice) => decideWinner(team(votes.map((vote) => vote ?? choice)), 'voted')?.winner),
    )
    expect(winners.size, JSON.stringify(votes)).toBeGreaterThan(1)
  }
})

test('an agent without an answer gets no votes', () => {
  expect(tally(team([1, null], [true, false]))).toEqual([{ agent: 'a0', votes: 0 }])
})
