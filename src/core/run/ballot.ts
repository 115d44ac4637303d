import type { BallotLine } from '../../schema/coordination.ts'
import { type RunState, candidates } from './state.ts'

/** The candidates in an order and under names that say nothing about whose they are. */
export function drawBallot(state: RunState, ordinal: number): BallotLine[] {
  const labels = candidates(state).map(({ answer }) => answer.label)
  return shuffle(labels, random(state.settings.seed, ordinal)).map((label, index) => ({
    id: nameOf(index),
    label,
  }))
}

/** A newer answer of somebody on the ballot takes the place of the older one; one of somebody new comes last. */
export function extendBallot(ballot: readonly BallotLine[], labels: readonly string[]): BallotLine[] {
  const lines = [...ballot]
  for (const label of labels) {
    const index = lines.findIndex((line) => authorOf(line.label) === authorOf(label))
    if (index === -1) lines.push({ id: nameOf(lines.length), label })
    else lines[index] = { id: lines[index]?.id ?? nameOf(index), label }
  }
  return lines
}

export const labelOf = (agentNumber: number, answerNumber: number): string =>
  `agent${agentNumber}.${answerNumber}`

const authorOf = (label: string): string => label.slice(0, label.lastIndexOf('.'))

/** A, B, …, Z, A2, B2, … */
function nameOf(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26))
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`
}

function shuffle<T>(items: readonly T[], next: () => number): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1))
    const [a, b] = [shuffled[last], shuffled[other]]
    if (a === undefined || b === undefined) continue
    shuffled[last] = b
    shuffled[other] = a
  }
  return shuffled
}

/** Mulberry32: the same numbers for the same seed, everywhere. */
function random(seed: number, ordinal: number): () => number {
  let state = (seed ^ Math.imul(ordinal + 1, 0x9e3779b1)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
