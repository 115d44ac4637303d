import { isDeepStrictEqual } from 'node:util'
import { run } from '../../src/core/run/run.ts'
import type { StreamId } from '../../src/schema/ids.ts'
import type { RunEvent } from '../../src/schema/run-event.ts'
import type { TurnEvent } from '../../src/schema/turn-event.ts'
import { type Usage, addUsage, noUsage } from '../../src/schema/usage.ts'
import type { Invariant } from './invariants-votes.ts'
import { type Reading, latestAt } from './referee.ts'
import type { History } from './world.ts'

/** What ending costs at most, in virtual time: tools that are under way come to their end. */
const SLACK_MS = 3_000

/** It ends, once, and nothing is left to do. */
const ends: Invariant = ({ events }, { ended, left, strays }) => {
  const count = events.filter(({ type }) => type === 'run.finished').length
  const stored = events.filter(({ type }) => type === 'log.stored').length
  return [
    ...(ended === 'done' ? [] : [`the run is ${ended}`]),
    ...(count === 1 ? [] : [`it finished ${count} times`]),
    ...(stored === 1 ? [] : [`its log was stored ${stored} times`]),
    ...(left.workspaces === 0 ? [] : ['workspaces are left behind']),
    ...(left.busy ? ['something goes on for ever after the end'] : []),
    ...strays.map((stray) => `nobody caught ${stray}`),
  ]
}

/** By its deadline, unless a person took longer to decide: then the presentation has its share of time from there. */
const endsInTime: Invariant = ({ events, settings }, { down_ms }) => {
  const { run_ms, grace_ms } = settings.timeouts
  const finished = events.find(({ type }) => type === 'run.finished')
  const presented = events.find(({ type }) => type === 'presentation.started')
  const asked = events.findLast(
    (event) => event.type === 'pending.opened' && event.pending.kind === 'override',
  )
  if (!finished) return []
  const usual = (events[0]?.ms ?? 0) + run_ms
  // Whoever is asked who presents may take any time.
  const waited = asked && !presented ? finished.ms : 0
  const due = Math.max(usual, waited, presented ? presented.ms + grace_ms : 0) + down_ms + SLACK_MS
  return finished.ms > due ? [`it ended ${finished.ms - due} ms after its deadline`] : []
}

/** There is always something to say, and an answer that was found is not lost. */
const endsWithAnAnswer: Invariant = (reading, { acknowledged }) => {
  const { finished, decided, names } = reading
  if (!finished) return []
  const { status, final_answer, failure } = finished
  const interrupted = acknowledged.some(({ command, accepted }) => command.type === 'interrupt' && accepted)
  const problems: string[] = []
  if (!final_answer.trim()) problems.push('the final answer is empty')
  if (status === 'complete' && !decided) problems.push('complete without a decision')
  if (status !== 'complete' && status !== 'cancelled' && !failure)
    problems.push(`${status} without saying why`)
  if (status === 'cancelled' && !interrupted && !wasInterrupted(reading)) problems.push('cancelled by nobody')
  const found = latestAt(reading, reading.endedAt)
  const words = reading.answers.map(({ text }) => text)
  if (status === 'limit' && found.size > 0 && !words.some((text) => final_answer.startsWith(text)))
    problems.push('out of time, and the answer that was there is not given out')
  if (status === 'failed' && found.size === 0 && !names.every((name) => final_answer.includes(name)))
    problems.push('it does not say what each got to')
  if (status === 'failed' && failure?.kind === 'bug') problems.push(failure.message)
  return problems
}

/** An interrupt may be stored although the process died before it said so. */
const wasInterrupted = ({ finished }: Reading): boolean =>
  finished?.final_answer.startsWith('Interrupted.') === true

/** Folding the log gives what the live process had. */
const logReplays: Invariant = ({ events }, { lastSeen, stored }) => {
  if (!lastSeen) return []
  const id = events[0]?.type === 'run.started' ? events[0].run_id : ''
  const own = stored.filter(({ stream, seq }) => stream === id && seq <= lastSeen.seq)
  const replayed = own.reduce((state, { event }) => run.evolve(state, plain(event as RunEvent)), run.initial)
  return isDeepStrictEqual(plain(replayed), plain(lastSeen.state)) ? [] : ['the log leads to another state']
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** What the run used is what its turns used, and that is what their replies used; also of those that were cut short. */
const usageAddsUp: Invariant = ({ events, turns }, { stored, lastSeen }) => {
  const spent = new Map<string, Usage>()
  /** Turns that were cut short while peers replied to them: what those used by then is in the peers' own logs only. */
  const unknown = new Set<string>()
  for (const { stream, event } of stored) {
    if (event.type === 'tool.finished' && event.cut === 'interrupted') unknown.add(stream)
    if (event.type !== 'model.replied') continue
    // What peers use to reply to a question is used by the turn that asks.
    const turn = askerOf(stream)
    spent.set(turn, addUsage(spent.get(turn) ?? noUsage, event.reply.usage))
  }
  const billed = events.flatMap((event) => (event.type === 'agent.finished' ? [event] : []))
  const asked = new Set(
    events.flatMap((event) => (event.type === 'question.asked' ? [askerOf(event.turn_id)] : [])),
  )
  const isKnown = (turn_id: string): boolean => !(asked.has(turn_id) && unknown.has(turn_id))
  const wrong = billed.filter(
    ({ turn_id, usage }) => isKnown(turn_id) && !same(usage, spent.get(turn_id) ?? noUsage),
  )
  const total = turns.reduce((sum, { turn_id }) => addUsage(sum, spent.get(turn_id) ?? noUsage), noUsage)
  const state = lastSeen?.state
  return [
    ...wrong.map(({ turn_id, usage }) => `${turn_id} is billed ${JSON.stringify(usage)}`),
    ...(billed.length === turns.length ? [] : [`${turns.length} turns, ${billed.length} bills`]),
    ...(state && turns.every(({ turn_id }) => isKnown(turn_id)) && !same(state.usage, total)
      ? [`the run is billed ${JSON.stringify(state.usage)}`]
      : []),
  ]
}

const askerOf = (stream: string): string => /^(turn_\w+-\d+)-q/.exec(stream)?.[1] ?? stream

const same = (a: Usage, b: Usage): boolean =>
  a.input_tokens === b.input_tokens &&
  a.output_tokens === b.output_tokens &&
  a.model_calls === b.model_calls &&
  a.cost_usd === b.cost_usd

/** Nothing waits for a person any more, and every turn that began is over. */
const nothingStaysOpen: Invariant = ({ turns }, { stored, lastSeen, lives }) => {
  const over = new Set(
    stored.flatMap(({ stream, event }) => (event.type === 'turn.finished' ? [stream] : [])),
  )
  const begun = new Set(
    stored.flatMap(({ stream, event }) => (event.type === 'turn.started' ? [stream] : [])),
  )
  // Nobody goes on with a reply to a turn that was over when the process died: its log just ends.
  const isOrphan = (stream: StreamId): boolean =>
    lives > 1 && askerOf(stream) !== stream && over.has(askerOf(stream) as StreamId)
  const open = [...begun].filter((stream) => !over.has(stream) && !isOrphan(stream))
  const unclosed = turns.filter(({ to }) => to === Infinity)
  return [
    ...open.map((stream) => `${stream} was never finished`),
    ...unclosed.map(({ turn_id }) => `the run never closed ${turn_id}`),
    ...(lastSeen?.state.pendings ?? []).map(({ id }) => `${id} still waits`),
  ]
}

/** Answers, votes and reminders bound how often models are asked. */
const callsAreBounded: Invariant = ({ settings, turns, answers, names }, { calls, lives }) => {
  const { max_reminders } = settings.coordination
  const most = names.length * (max_reminders + 1) * (answers.length + 2) + 1
  const problems = turns.length <= most ? [] : [`${turns.length} turns, and at most ${most} are possible`]
  // A guardrail may ask once more; a call that a dead process made is made again.
  const each = settings.turn.max_iterations + 2
  for (const { turn_id } of turns) {
    const made = calls.filter((call) => call.turn_id === turn_id).length
    if (made > each + lives - 1) problems.push(`${turn_id} made ${made} calls`)
  }
  return problems
}

/** A reply that is in the log is never asked for again. */
const noCallIsRepeated: Invariant = (_, { calls, stored }) => {
  const problems: string[] = []
  const byTurn = Map.groupBy(stored, ({ stream }) => stream)
  for (const call of calls) {
    const known = (byTurn.get(call.turn_id) ?? []).filter(
      ({ event, step }) => (event as TurnEvent).type === 'model.replied' && step < call.step,
    ).length
    const earlier = calls.filter(
      (other) => other.turn_id === call.turn_id && other.replies === call.replies && other.step < call.step,
    )
    const first = Math.min(
      ...calls.filter(({ turn_id }) => turn_id === call.turn_id).map(({ replies }) => replies),
    )
    if (earlier.length > 0 && call.replies - first < known)
      problems.push(`${call.agent} was asked again for reply ${call.replies} of ${call.turn_id}`)
  }
  return problems
}

/** An override that was acknowledged decides who presents. */
const overrideIsHonoured: Invariant = ({ presenters, events, finished }, { acknowledged }) => {
  const taken = acknowledged.find(
    ({ command, accepted }) =>
      accepted && command.type === 'answer_pending' && command.answer.kind === 'override',
  )
  if (taken?.command.type !== 'answer_pending' || taken.command.answer.kind !== 'override') return []
  const { answer } = taken.command
  const decided = events.find((event) => event.type === 'voting.completed')
  const chosen =
    answer.decision === 'present' ? answer.agent : decided?.type === 'voting.completed' && decided.winner
  const cut = finished?.status === 'cancelled' || finished?.status === 'limit'
  if (presenters.length === 0) return cut ? [] : ['somebody was chosen, and nobody presented']
  return presenters.every((name) => name === chosen)
    ? []
    : [`${String(chosen)} was chosen, and ${presenters.join(' and ')} presented`]
}

export const endInvariants = {
  ends,
  endsInTime,
  endsWithAnAnswer,
  logReplays,
  usageAddsUp,
  nothingStaysOpen,
  callsAreBounded,
  noCallIsRepeated,
  overrideIsHonoured,
}

export type { History }
