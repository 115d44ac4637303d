import { CONTEXT, FOLDER } from './disk.ts'
import type { Invariant } from './invariants-votes.ts'

/** One presents, with at most one turn, and it is the winner or whom a person or the policy put in its place. */
const onePresents: Invariant = ({ presenters, turns, events, decided, settings }) => {
  const presenting = turns.filter(({ purpose }) => purpose === 'present')
  const overridden = events.findLast((event) => event.type === 'winner.overridden')
  const expected = overridden?.type === 'winner.overridden' ? overridden.agent_id : decided?.winner
  const problems: string[] = []
  if (presenters.length > 1) problems.push(`${presenters.join(' and ')} present`)
  if (presenting.length > 1) problems.push(`${presenting.length} turns present`)
  for (const name of [...presenters, ...presenting.map(({ agent }) => agent)])
    if (name !== expected) problems.push(`${name} presents instead of ${String(expected)}`)
  if (presenting.length > 0 && !settings.coordination.presentation)
    problems.push('a presentation that is not wanted')
  return problems
}

/** The person's own places are written only by the presenter, or by the one agent that works there from the start. */
const writesOnlyInPresentation: Invariant = (reading, { writes }) => {
  const { settings, turns, enabledAt, presenters } = reading
  const alone = settings.coordination.write_during_coordination
  const presentedAt = reading.events.find(({ type }) => type === 'presentation.started')?.seq ?? Infinity
  return writes.filter(isPersons).flatMap(({ path, via, seq, content, root }) => {
    const problems: string[] = []
    if (settings.turn.mode === 'Plan') problems.push(`${path} was written in Plan mode`)
    if (seq < enabledAt) problems.push(`${path} was written before anybody looked at it`)
    if (!alone && seq < presentedAt) problems.push(`${path} was written before the presentation`)
    if (alone) return problems
    const presenting = turns.some(({ purpose, from, to }) => purpose === 'present' && from <= seq && seq < to)
    if (via !== 'apply' && !presenting) problems.push(`${path} was written by nobody who presents`)
    if (via === 'tool' && content !== null && !content.includes(`by ${presenters[0] ?? '?'} `))
      problems.push(`${path} was written by another than the presenter`)
    if (root !== FOLDER) problems.push(`${path} was written from ${root}`)
    return problems
  })
}

/** What was written to the person's places is what the run says was written, and nothing after it said so. */
const writesAreReported: Invariant = ({ events, settings }, { writes }) => {
  const recorded = events.find((event) => event.type === 'writes.recorded')
  const ours = writes.filter(isPersons)
  if (recorded?.type !== 'writes.recorded') {
    return ours.length === 0 || settings.turn.mode === 'Plan'
      ? []
      : ['something was written, and it was not looked at']
  }
  const told = new Set(recorded.files.map(({ path }) => path))
  return ours.flatMap(({ path, seq, content }) => {
    const name = path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length + 1) : path
    if (seq >= recorded.seq) return [`${path} was written after the writes were looked at`]
    // A file that was made and removed again is no change.
    return told.has(name) ||
      content === null ||
      ours.some((later) => later.path === path && later.content === null)
      ? []
      : [`${path} was written, and the run does not say so`]
  })
}

/** Agents write in their own copies and nowhere else. */
const copiesAreOwn: Invariant = (_, { writes }) =>
  writes.flatMap(({ path, root, via }) =>
    via === 'tool' && root.startsWith('/workspaces/') && !path.startsWith(`${root}/`)
      ? [`${path} was written from ${root}`]
      : [],
  )

/** When the outcome is known nobody is asked any more but the one that presents; after the end, nobody. */
const noCallsAfterDecision: Invariant = ({ decidedAt, endedAt }, { calls }) =>
  calls.flatMap(({ agent, purpose, seq, turn_id }) => {
    if (seq >= endedAt) return [`${agent} was asked after the end (${turn_id})`]
    return purpose !== 'present' && seq >= decidedAt
      ? [`${agent} was asked after the decision (${turn_id})`]
      : []
  })

/** A provider takes every conversation as it is sent. */
const conversationsAreWellFormed: Invariant = (_, { calls }) =>
  calls.flatMap(({ wellFormed, turn_id, replies }) =>
    wellFormed ? [] : [`the conversation of ${turn_id} is torn at reply ${replies}`],
  )

/** A team that agrees at once costs an answer and at most a vote each, and one presentation. */
const agreementIsCheap: Invariant = (
  { settings, answers, turns, names },
  { calls, scenario, lives, acknowledged },
) => {
  const plain =
    [...scenario.behaviours.values()].every((kind) => kind === 'honest') &&
    settings.agents.every(({ speaks }) => speaks === 'tools') &&
    lives === 1 &&
    acknowledged.length === 0 &&
    answers.length === names.length
  // Files are written with calls of their own.
  if (!plain || calls.some(({ tools }) => tools.includes('create_file'))) return []
  const most = names.length * (settings.coordination.skip_voting ? 1 : 2) + 1
  return calls.length > most || turns.length > most
    ? [`${calls.length} calls for ${names.length} that agree`]
    : []
}

const isPersons = ({ path }: { path: string }): boolean =>
  (path.startsWith(`${FOLDER}/`) && !path.startsWith(`${FOLDER}/.conclave/logs/`)) ||
  path.startsWith(`${CONTEXT}/`)

export const worldInvariants = {
  onePresents,
  writesOnlyInPresentation,
  writesAreReported,
  copiesAreOwn,
  noCallsAfterDecision,
  conversationsAreWellFormed,
  agreementIsCheap,
}
