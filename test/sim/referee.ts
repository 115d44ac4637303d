import type { RunEvent, RunSettings } from '../../src/schema/run-event.ts'
import type { Stored } from './sim-journal.ts'
import { type History, msOf, runOf } from './world.ts'

/** A second, plain reading of a run's log: it shares no code with the core it is to judge. */
export interface Reading {
  settings: RunSettings
  names: string[]
  /** With the position in the run's log, from 1, and the virtual time of storing. */
  events: (RunEvent & { seq: number; ms: number; step: number })[]
  answers: { agent: string; label: string; text: string; seq: number }[]
  turns: TurnReading[]
  casts: Cast[]
  decided: Extract<RunEvent, { type: 'voting.completed' }> | undefined
  /** Positions of what happened once; Infinity when it never did. */
  decidedAt: number
  enabledAt: number
  endedAt: number
  finished: Extract<RunEvent, { type: 'run.finished' }> | undefined
  /** Who presented, as the log says it. */
  presenters: string[]
}

export interface TurnReading {
  turn_id: string
  agent: string
  purpose: 'answer' | 'vote' | 'present'
  reminder: number
  may_answer: boolean
  may_vote: boolean
  ballot: { id: string; label: string }[]
  from: number
  to: number
  /** Told since, with the position. */
  told: { label: string; seq: number }[]
}

export interface Cast {
  voter: string
  for: string
  label: string
  reason: string
  seq: number
}

export function read(history: History): Reading | undefined {
  const id = runOf(history)
  const events = history.stored.filter(({ stream }) => stream === id).map(withMoment)
  const [started] = events
  if (started?.type !== 'run.started') return undefined
  const reading: Reading = {
    settings: started.settings,
    names: started.settings.agents.map(({ id }) => id),
    ...{ events, answers: [], turns: [], casts: [], presenters: [] },
    ...{
      decided: undefined,
      decidedAt: Infinity,
      enabledAt: Infinity,
      endedAt: Infinity,
      finished: undefined,
    },
  }
  for (const event of events) note(reading, event)
  return reading
}

const withMoment = ({ event, seq, at, step }: Stored): Reading['events'][number] => ({
  ...(event as RunEvent),
  seq,
  step,
  ms: msOf(at),
})

function note(reading: Reading, event: Reading['events'][number]): void {
  const { seq } = event
  switch (event.type) {
    case 'agent.started': {
      const { turn_id, agent_id: agent, purpose, reminder, may_answer, may_vote, ballot } = event
      reading.turns.push({
        ...{ turn_id, agent, purpose, reminder, may_answer, may_vote, ballot },
        ...{ from: seq, to: Infinity, told: [] },
      })
      return
    }
    case 'agent.finished': {
      const turn = reading.turns.find(({ turn_id }) => turn_id === event.turn_id)
      if (turn) turn.to = seq
      return
    }
    case 'update.injected': {
      const turn = reading.turns.find(({ turn_id }) => turn_id === event.turn_id)
      if (event.delivered) turn?.told.push(...event.labels.map((label) => ({ label, seq })))
      return
    }
    case 'answer.submitted':
      reading.answers.push({ agent: event.agent_id, label: event.label, text: event.text, seq })
      return
    case 'vote.cast':
      reading.casts.push({
        voter: event.voter,
        for: event.for,
        label: event.label,
        reason: event.reason,
        seq,
      })
      return
    case 'voting.completed':
      reading.decided ??= event
      reading.decidedAt = Math.min(reading.decidedAt, seq)
      return
    case 'writes.enabled':
      reading.enabledAt = Math.min(reading.enabledAt, seq)
      return
    case 'presentation.started':
      reading.presenters.push(event.agent_id)
      return
    case 'run.ending':
    case 'run.finished':
      reading.endedAt = Math.min(reading.endedAt, seq)
      if (event.type === 'run.finished') reading.finished = event
      return
    default:
  }
}

/** The latest answer of each agent at a position of the log. */
export const latestAt = ({ answers }: Reading, seq: number): Map<string, string> =>
  new Map(answers.filter((answer) => answer.seq < seq).map(({ agent, label }) => [agent, label]))

/** When an agent went out, if it did. */
export const outAt = ({ events }: Reading, agent: string): number =>
  events.find((event) => event.type === 'agent.out' && event.agent_id === agent)?.seq ?? Infinity
