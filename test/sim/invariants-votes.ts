import { hash } from './random.ts'
import { type Reading, type TurnReading, latestAt, outAt } from './referee.ts'
import type { History } from './world.ts'

/** Each looks at a whole history and says what is wrong with it. */
export type Invariant = (reading: Reading, history: History) => string[]

/** A counted vote is for the latest answer of its author, and its voter had been shown every answer there was. */
const votesAreFresh: Invariant = (reading) =>
  reading.casts.flatMap((cast) => {
    const turn = votingTurn(reading, cast)
    const latest = latestAt(reading, cast.seq)
    const stale =
      latest.get(cast.for) === cast.label ? [] : [`${cast.voter} voted for the outdated ${cast.label}`]
    const seen = new Set(turn ? seenIn(turn, cast.seq) : [])
    const unseen = [...latest.values()].filter((label) => !seen.has(label))
    return [...stale, ...unseen.map((label) => `${cast.voter} voted without having seen ${label}`)]
  })

/** What was counted is what the model meant: the answer with the mark that it named. */
const votesAreMeant: Invariant = (reading) =>
  reading.casts.flatMap(({ voter, label, reason }) => {
    const meant = /\[\[(\w+)\]\]/.exec(reason)?.[1]
    const text = reading.answers.find((answer) => answer.label === label)?.text ?? ''
    return !meant || text.includes(`[[${meant}]]`)
      ? []
      : [`${voter} meant ${meant}, and ${label} was counted`]
  })

/** Only members that are in and asked to vote do, before the decision, and once until something new is there. */
const votersMayVote: Invariant = (reading) =>
  reading.casts.flatMap((cast) => {
    const { voter, seq } = cast
    const problems: string[] = []
    if (!votingTurn(reading, cast)?.may_vote) problems.push(`${voter} voted without being asked to`)
    if (seq > reading.decidedAt) problems.push(`${voter} voted after the decision`)
    if (seq > outAt(reading, voter)) problems.push(`${voter} voted although it was out`)
    const reopened = reading.answers.findLast((answer) => answer.seq < seq)?.seq ?? 0
    const before = reading.casts.filter(
      (other) => other.voter === voter && other.seq < seq && other.seq > reopened,
    )
    if (before.length > 0) problems.push(`${voter} voted twice on the same answers`)
    return problems
  })

/** Every call of `vote` that came to the run is cast or refused in its log, never silently lost. */
const votesAreLogged: Invariant = (reading, { stored }) => {
  const judged = new Set(
    reading.events.flatMap((event) =>
      event.type === 'vote.cast' ||
      event.type === 'vote.rejected' ||
      event.type === 'answer.rejected' ||
      event.type === 'answer.submitted'
        ? [event.call_id]
        : [],
    ),
  )
  return stored.flatMap(({ event }) => {
    if (event.type !== 'observation.recorded') return []
    const { tool, call_id, output, success } = event.observation
    if (tool !== 'vote' && tool !== 'new_answer') return []
    const reached = success || output.startsWith('Not taken: ')
    const counts =
      reached && !output.includes('a reply may hold only one') && !output.includes('is not a turn of')
    const frozen = output.startsWith('Your folder could not')
    return counts && !frozen && !judged.has(call_id)
      ? [`${call_id} (${tool}) is nowhere in the log: ${output}`]
      : []
  })
}

/** The most votes win, ties go to the one listed first, and no votes to the first with an answer: however they came. */
const winnerFollowsFromVotes: Invariant = (reading) => {
  const { decided, decidedAt, names, settings } = reading
  if (!decided) return []
  const latest = latestAt(reading, decidedAt)
  const reopened = reading.answers.findLast(({ seq }) => seq < decidedAt)?.seq ?? 0
  const counted = new Map(
    reading.casts
      .filter(({ seq }) => seq > reopened && seq < decidedAt)
      .map(({ voter, for: to }) => [voter, to]),
  )
  const votes = (agent: string): number => [...counted.values()].filter((to) => to === agent).length
  const electable = names.filter((name) => latest.has(name))
  const most = Math.max(...electable.map(votes))
  const winner = electable.find((name) => votes(name) === most)
  const problems: string[] = []
  if (decided.winner !== winner) problems.push(`${decided.winner} won, and it should have been ${winner}`)
  if (decided.label !== latest.get(decided.winner)) problems.push(`${decided.label} won, which is outdated`)
  for (const line of decided.tally)
    if (line.votes !== votes(line.agent))
      problems.push(`${line.agent} has ${votes(line.agent)}, not ${line.votes}`)
  if (decided.tally.length !== electable.length) problems.push('the tally is not of all candidates')
  const tie = most > 0 && electable.filter((name) => votes(name) === most).length > 1
  if (decided.tie !== tie) problems.push(`tie is ${decided.tie}`)
  if (settings.coordination.skip_voting && reading.casts.length > 0)
    problems.push('votes although none are asked for')
  return problems
}

/** A ballot is all candidates of its moment, each once, under names that are places in a drawn order. */
const ballotsAreWhole: Invariant = (reading) =>
  reading.turns.flatMap((turn) => {
    if (turn.purpose !== 'vote') return turn.ballot.length > 0 ? [`${turn.turn_id} has a ballot`] : []
    const expected = [...latestAt(reading, turn.from).values()].toSorted().join()
    const drawn = turn.ballot
      .map(({ label }) => label)
      .toSorted()
      .join()
    const ids = new Set(turn.ballot.map(({ id }) => id))
    if (drawn !== expected) return [`the ballot of ${turn.turn_id} is ${drawn}, and it should be ${expected}`]
    return ids.size === turn.ballot.length ? [] : [`the ballot of ${turn.turn_id} names two alike`]
  })

/** With many candidates and many voters it cannot be that all see the same order. */
const ballotsAreShuffled: Invariant = ({ turns }) => {
  const large = turns.filter(({ purpose, ballot }) => purpose === 'vote' && ballot.length >= 5)
  const orders = new Set(large.map(({ ballot }) => hash(ballot.map(({ label }) => label).join())))
  return large.length >= 4 && orders.size === 1 ? ['all ballots are in the same order'] : []
}

/** Nobody is told who a candidate is, and where there is no vote, nobody is told of one. */
const promptsGiveNothingAway: Invariant = ({ settings }, { calls }) =>
  calls.flatMap(({ agent, leaks, tools, turn_id }) => [
    ...leaks.map((leak) => `the prompt of ${agent} in ${turn_id} says ${leak}`),
    ...(settings.coordination.skip_voting && tools.includes('vote') ? [`${agent} is offered vote`] : []),
  ])

/** Who votes has what the evidence of every candidate says before it. */
const evidenceComesFirst: Invariant = ({ settings, turns, events }) => {
  if (settings.evidence.length === 0 || settings.turn.mode === 'Plan') return []
  const known = new Map(
    events.flatMap((event) =>
      event.type === 'evidence.recorded' ? [[event.label, event.seq] as const] : [],
    ),
  )
  return turns.flatMap(({ purpose, reminder, ballot, from, turn_id }) =>
    purpose !== 'vote' || reminder > 0
      ? []
      : ballot.flatMap(({ label }) =>
          (known.get(label) ?? Infinity) < from
            ? []
            : [`${turn_id} votes on ${label} before its evidence is there`],
        ),
  )
}

export const voteInvariants = {
  votesAreFresh,
  votesAreMeant,
  votersMayVote,
  votesAreLogged,
  winnerFollowsFromVotes,
  ballotsAreWhole,
  ballotsAreShuffled,
  promptsGiveNothingAway,
  evidenceComesFirst,
}

const votingTurn = (
  { turns }: Reading,
  { voter, seq }: { voter: string; seq: number },
): TurnReading | undefined => turns.find(({ agent, from, to }) => agent === voter && from < seq && seq < to)

const seenIn = ({ ballot, told }: TurnReading, seq: number): string[] => [
  ...ballot.map(({ label }) => label),
  ...told.filter((news) => news.seq < seq).map(({ label }) => label),
]
