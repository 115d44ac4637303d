import type { Invariant } from './invariants-votes.ts'
import { latestAt, outAt } from './referee.ts'

/** The same words are never taken twice, however they are spaced; but first answers are given without knowing others. */
const answersAreNew: Invariant = ({ answers }) => {
  const plain = (text: string): string => text.toLowerCase().split(/\s+/).filter(Boolean).join(' ')
  return answers.flatMap(({ label, text, agent }, index) => {
    const earlier = answers.slice(0, index)
    if (!earlier.some((other) => other.agent === agent)) return []
    return earlier.some((other) => plain(other.text) === plain(text))
      ? [`${label} says what was said before`]
      : []
  })
}

/** At most so many for each, for all, and nobody too far ahead. */
const limitsHold: Invariant = (reading) => {
  const { answers, settings, names } = reading
  const { max_new_answers_per_agent, max_new_answers_global, fairness_lead } = settings.coordination
  return answers.flatMap(({ agent, label, seq }, index) => {
    const given = (name: string): number =>
      answers.slice(0, index).filter((earlier) => earlier.agent === name).length
    const own = given(agent)
    const problems: string[] = []
    if (own >= (max_new_answers_per_agent ?? Infinity)) problems.push(`${label} is one too many of ${agent}`)
    if (index >= (max_new_answers_global ?? Infinity)) problems.push(`${label} is one too many of all`)
    const others = names.filter((name) => outAt(reading, name) > seq).map(given)
    if (own - Math.min(...others) >= (fairness_lead ?? Infinity)) problems.push(`${label} is too far ahead`)
    return problems
  })
}

/** Answers come from a turn under way that may answer, of somebody who is in, before the decision. */
const answersAreAllowed: Invariant = (reading) =>
  reading.answers.flatMap(({ agent, label, seq }) => {
    const turn = reading.turns.find((turn) => turn.agent === agent && turn.from < seq && seq < turn.to)
    const problems: string[] = []
    if (!turn?.may_answer) problems.push(`${label} was not asked for`)
    if (seq > reading.decidedAt) problems.push(`${label} came after the decision`)
    if (seq > outAt(reading, agent)) problems.push(`${label} came from somebody who is out`)
    const second = reading.answers.find(
      (other) => other.seq < seq && other.seq > (turn?.from ?? Infinity) && other.agent === agent,
    )
    if (second) problems.push(`${label} is the second answer of one turn`)
    return problems
  })

/** Nobody hears of another's answer before it has given its own, and nobody at all where that is off. */
const newsComesAfterOwnAnswer: Invariant = (reading, { stored }) => {
  const { disable_injection } = reading.settings.coordination
  const heard = stored.flatMap(({ stream, event, step }) =>
    event.type === 'update.received' && event.text.includes('<candidate') ? [{ stream, step }] : [],
  )
  return heard.flatMap(({ stream, step }) => {
    const turn = reading.turns.find(({ turn_id }) => turn_id === stream)
    const own = reading.events.find(
      (event) => event.type === 'answer.submitted' && event.agent_id === turn?.agent,
    )
    const problems: string[] = []
    if (disable_injection) problems.push(`${turn?.agent} was told of its peers`)
    if (!own || own.step > step) problems.push(`${turn?.agent} was told of its peers before its own answer`)
    return problems
  })
}

/** Without news nobody has seen a peer's answer before its own first one: the first request holds no candidates. */
const firstAnswersAreOwn: Invariant = (_, { calls }) =>
  calls.flatMap(({ purpose, candidates, agent }) =>
    purpose === 'answer' && candidates.length > 0 ? [`${agent} saw candidates before its first answer`] : [],
  )

/** When the team has given all its answers, nobody is asked for another first one. */
const workCanCount: Invariant = ({ answers, settings }, { calls }) => {
  const last = answers[(settings.coordination.max_new_answers_global ?? Infinity) - 1]
  if (!last) return []
  return calls.flatMap(({ purpose, seq, agent }) =>
    purpose === 'answer' && seq >= last.seq ? [`${agent} was asked for an answer that cannot count`] : [],
  )
}

/** Who says nothing is reminded only so often. */
const remindersEnd: Invariant = ({ turns, settings }) =>
  turns.flatMap(({ reminder, agent }) =>
    reminder > settings.coordination.max_reminders ? [`${agent} was reminded ${reminder} times`] : [],
  )

/** Whoever is asked has not been ruled out, and works at one thing at a time. */
const turnsAreInOrder: Invariant = (reading) =>
  reading.turns.flatMap(({ agent, from, purpose, turn_id }) => {
    const problems: string[] = []
    const busy = reading.turns.some((other) => other.agent === agent && other.from < from && other.to > from)
    if (busy) problems.push(`${turn_id} began while ${agent} was at work`)
    if (outAt(reading, agent) < from) problems.push(`${turn_id} began although ${agent} is out`)
    if (purpose !== 'present' && from > reading.decidedAt)
      problems.push(`${turn_id} began after the decision`)
    if (purpose === 'vote' && latestAt(reading, from).size === 0) problems.push(`${turn_id} votes on nothing`)
    return problems
  })

export const answerInvariants = {
  answersAreNew,
  limitsHold,
  answersAreAllowed,
  newsComesAfterOwnAnswer,
  firstAnswersAreOwn,
  workCanCount,
  remindersEnd,
  turnsAreInOrder,
}
